import type { ChannelProblem } from '../../../server/http/settings/notification-schemas.ts'

/** Without a full stop: another sentence or a time follows. */
export function describeMailProblem({ problem, status }: ChannelProblem): string {
  const code = status === null ? '' : ` (${status})`
  switch (problem) {
    case 'TIMEOUT':
      return 'The mail server didn’t answer in time'
    case 'TLS':
      return 'A secure connection to the mail server failed'
    case 'LOGIN_REJECTED':
      return `The mail server rejected this service’s login${code}`
    case 'REJECTED':
      return `The mail server rejected an email${code}`
    case 'NOT_RENDERED':
      return 'The text of an email couldn’t be generated'
    default:
      return 'The mail server couldn’t be reached'
  }
}

export function describeChatProblem({ problem, status }: ChannelProblem): string {
  if (status !== null) return `The chat webhook answered ${status}`
  switch (problem) {
    case 'TIMEOUT':
      return 'The chat webhook didn’t answer in time'
    case 'TLS':
      return 'The TLS handshake with the chat webhook failed'
    case 'DNS':
      return 'The host of the chat webhook couldn’t be resolved'
    case 'DESTINATION_REFUSED':
      return 'The address of the chat webhook isn’t allowed'
    case 'NOT_RENDERED':
      return 'The text of a message couldn’t be generated'
    default:
      return 'The chat webhook couldn’t be reached'
  }
}

/** What came back: a status, or none and why. `error` starts with a code such as TIMEOUT, TLS, DNS or NETWORK. */
export type ProbeAnswer = { status: number | null; error: string | null; milliseconds: number }

export type Judged = { ok: boolean; answer: ProbeAnswer; detail: string; advice: string | null; stops?: boolean }

/** A slower response fails the check, although the service would wait for it: on a bad day it takes over five seconds. */
const slowMilliseconds = 2_000

/** A genuine event must be accepted, and quickly. */
export function judgeAccepted(answer: ProbeAnswer): Judged {
  const { status, milliseconds } = answer
  if (!isSuccess(status)) return { ok: false, answer, detail: describeAnswer(answer), advice: adviceOnRefusal(answer) }
  if (milliseconds <= slowMilliseconds) return { ok: true, answer, detail: `Answered with ${status}.`, advice: null }
  return {
    ok: false,
    answer,
    detail: `Answered with ${status}, but only after ${(milliseconds / 1000).toFixed(1)} seconds.`,
    advice:
      'Respond first and work afterwards: store or enqueue the event, answer 200, process it later. After five seconds the delivery counts as failed and is repeated.',
  }
}

/** A forged or outdated event must be rejected, and not with a crash. */
export function judgeRefused(answer: ProbeAnswer, what: string, advice: string): Judged {
  const { status } = answer
  if (status === 401) return { ok: true, answer, detail: `Rejected ${what} with 401.`, advice: null }
  if (status === 400 || status === 403) {
    return { ok: true, answer, detail: `Rejected ${what} with ${status}. The contract asks for 401.`, advice: null }
  }
  if (isSuccess(status)) return { ok: false, answer, detail: `Accepted ${what} with ${status}.`, advice }
  return {
    ok: false,
    answer,
    detail: `Sent ${what}. ${describeAnswer(answer)}`,
    advice: 'Answer 401 if the signature or its timestamp is wrong, whatever else is in the request.',
  }
}

export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}

function describeAnswer({ status, error }: ProbeAnswer): string {
  return status === null ? `No response. ${error ?? 'The connection closed'}.` : `Answered with ${status}.`
}

export function adviceOnRefusal({ status, error }: ProbeAnswer): string {
  if (status === null) return adviceOnSilence[error?.split(':')[0] ?? ''] ?? checkAddress
  if (status >= 300 && status < 400) return 'Use the address it redirects to. Redirects are not followed.'
  if (status >= 500)
    return 'The receiver failed: look at its log. After a 5xx the event is sent again, four times in all.'
  return adviceOnStatus[status] ?? 'Answer 2xx to a genuine event. A 4xx is final: the event is not sent again.'
}

const checkAddress = 'Check that the receiver is running, and that http or https, host and port are right.'

const adviceOnSilence: Record<string, string> = {
  TIMEOUT: 'Answer 2xx within five seconds: store or enqueue the event, answer 200, process it later.',
  TLS: 'The receiver needs a certificate that is valid for this host name and issued by a trusted authority.',
  DNS: 'Check the host name.',
}

const wrongSignature =
  'The receiver rejected a genuine event. Most likely it has a different signing secret: compare the two, and look out for quotes and whitespace. If they are equal, it does not compute the HMAC over the raw bytes of the body, or its clock is off by more than five minutes.'

const adviceOnStatus: Record<number, string> = {
  400: wrongSignature,
  401: wrongSignature,
  403: wrongSignature,
  404: 'Nothing is there. Check the path against the route of your receiver.',
  405: 'The receiver does not accept POST there. Check the path, or add the route for POST.',
  413: 'Allow bodies of 2 MB in your framework and in every proxy in front of it.',
  415: 'Accept Content-Type: application/json.',
}

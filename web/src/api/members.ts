import type {
  EndedSessions,
  InvitationLink,
  MemberList,
  NewMemberInvitation,
  ResetLink,
  RoleChange,
  Security,
} from '../../../server/http/settings/member-schemas.ts'
import type { CurrentSignOn, NewSignOn } from '../../../server/http/settings/signon-schemas.ts'
import { at, send } from './request.ts'

/** Who belongs to an organization, and how they sign in. */
export const membersApi = {
  members: (organizationId: string) => send<MemberList>('GET', at(organizationId, '/members')),
  changeRole: (organizationId: string, memberId: string, change: RoleChange) =>
    send<void>('PATCH', memberAt(organizationId, memberId), change),
  removeMember: (organizationId: string, memberId: string) => send<void>('DELETE', memberAt(organizationId, memberId)),
  signOutMember: (organizationId: string, memberId: string) =>
    send<EndedSessions>('POST', memberAt(organizationId, memberId, '/sign-out')),
  createResetLink: (organizationId: string, memberId: string) =>
    send<ResetLink>('POST', memberAt(organizationId, memberId, '/password-resets')),
  turnOffSecondFactor: (organizationId: string, memberId: string) =>
    send<void>('DELETE', memberAt(organizationId, memberId, '/second-factor')),
  inviteMember: (organizationId: string, invitation: NewMemberInvitation) =>
    send<InvitationLink>('POST', at(organizationId, '/member-invitations'), invitation),
  renewInvitation: (organizationId: string, invitationId: string) =>
    send<InvitationLink>('POST', at(organizationId, `/member-invitations/${encodeURIComponent(invitationId)}/links`)),
  withdrawInvitation: (organizationId: string, invitationId: string) =>
    send<void>('DELETE', at(organizationId, `/member-invitations/${encodeURIComponent(invitationId)}`)),
  security: (organizationId: string) => send<Security>('GET', at(organizationId, '/security')),
  saveSecurity: (organizationId: string, security: Security) =>
    send<Security>('PUT', at(organizationId, '/security'), security),
  singleSignOn: (organizationId: string) => send<CurrentSignOn>('GET', at(organizationId, '/single-sign-on')),
  saveSingleSignOn: (organizationId: string, wanted: NewSignOn) =>
    send<CurrentSignOn>('PUT', at(organizationId, '/single-sign-on'), wanted),
  removeSingleSignOn: (organizationId: string) => send<void>('DELETE', at(organizationId, '/single-sign-on')),
}

function memberAt(organizationId: string, memberId: string, path = ''): string {
  return at(organizationId, `/members/${encodeURIComponent(memberId)}${path}`)
}

import type { Member } from '../../../server/http/settings/member-schemas.ts'

export type Role = Member['role']

export const roleOptions = [
  { value: 'viewer', label: 'Viewer: read-only' },
  { value: 'admin', label: 'Admin: full access' },
]

export const roleLabels: Record<Role, string> = { admin: 'Admin', viewer: 'Viewer' }

export function toRole(text: string): Role {
  return text === 'admin' ? 'admin' : 'viewer'
}

import type { Member } from '../../../server/http/settings/member-schemas.ts'

export type Role = Member['role']

export const roleOptions = [
  { value: 'viewer', label: 'Viewer: can only look' },
  { value: 'admin', label: 'Admin: can do everything' },
]

export const roleLabels: Record<Role, string> = { admin: 'Admin', viewer: 'Viewer' }

export function toRole(text: string): Role {
  return text === 'admin' ? 'admin' : 'viewer'
}

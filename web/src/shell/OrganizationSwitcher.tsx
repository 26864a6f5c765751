import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { IconSelector } from '../icons/icons.tsx'
import { useOrganization } from '../session/session.ts'
import classes from './OrganizationSwitcher.module.css'

/** The current organization, and a menu for members of several. */
export function OrganizationSwitcher() {
  const { id, name, role, session } = useOrganization()
  const navigate = useNavigate()
  const label = (
    <span className={classes.text}>
      <span className={classes.name}>{name}</span>
      <span className={classes.role}>{role === 'admin' ? 'Admin' : 'Viewer'}</span>
    </span>
  )
  if (session.organizations.length < 2) return <div className={classes.organization}>{label}</div>

  const open = (organizationId: string) => {
    if (organizationId !== id) void navigate({ to: '/$organizationId/deliveries', params: { organizationId } })
  }
  return (
    <Menu width="target" position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={classes.organization}>
          <VisuallyHidden>Switch organization:</VisuallyHidden>
          {label}
          <IconSelector size={18} stroke={1.75} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={id} onChange={open}>
          {session.organizations.map((organization) => (
            <Menu.RadioItem key={organization.id} value={organization.id} closeMenuOnClick>
              {organization.name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}

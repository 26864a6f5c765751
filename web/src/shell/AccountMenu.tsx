import { type MantineColorScheme, Menu, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { IconLogout, IconPassword, IconShieldLock, IconUser } from '../icons/icons.tsx'
import { ChangePassword } from '../session/ChangePassword.tsx'
import { useOrganization } from '../session/session.ts'
import { useSignOut } from '../session/sign-out.ts'
import classes from './AccountMenu.module.css'

const schemes: { value: MantineColorScheme; label: string }[] = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export function AccountMenu() {
  const { id, session } = useOrganization()
  const [changingPassword, { open, close }] = useDisclosure()
  // Otherwise Mantine injects a <style> to pause transitions, which the page's content security policy forbids.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const signOut = useSignOut()
  const choose = (value: string) => {
    const scheme = schemes.find((one) => one.value === value)
    if (scheme) setColorScheme(scheme.value)
  }

  return (
    <>
      <Menu position="top-start" width={220}>
        <Menu.Target>
          <UnstyledButton className={classes.account}>
            <span className={classes.face} aria-hidden>
              <IconUser size={18} stroke={1.75} />
            </span>
            <VisuallyHidden>Account:</VisuallyHidden>
            <span className={classes.text}>
              <span className={classes.name}>{session.user.name}</span>
              <span className={classes.email}>{session.user.email}</span>
            </span>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPassword size={18} stroke={1.75} aria-hidden />} onClick={open}>
            Change password
          </Menu.Item>
          <Menu.Item
            leftSection={<IconShieldLock size={18} stroke={1.75} aria-hidden />}
            renderRoot={(props) => <Link to="/$organizationId/account" params={{ organizationId: id }} {...props} />}
          >
            Sign-in and sessions
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>Theme</Menu.Label>
          <Menu.RadioGroup value={colorScheme} onChange={choose}>
            {schemes.map(({ value, label }) => (
              <Menu.RadioItem key={value} value={value}>
                {label}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={18} stroke={1.75} aria-hidden />} onClick={() => signOut.mutate()}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ChangePassword opened={changingPassword} onClose={close} />
    </>
  )
}

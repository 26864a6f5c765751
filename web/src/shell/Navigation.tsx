import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import {
  IconBell,
  IconHistory,
  IconKey,
  IconListDetails,
  IconSend,
  IconShieldLock,
  IconTerminal2,
  IconUserPlus,
  IconUsers,
  IconWebhook,
} from '../icons/icons.tsx'
import { useOrganization } from '../session/session.ts'
import classes from './Navigation.module.css'

export const pages = [
  { to: '/$organizationId/deliveries', label: 'Deliveries', Icon: IconSend, adminsOnly: false },
  { to: '/$organizationId/interviews', label: 'Interviews', Icon: IconUsers, adminsOnly: false },
  { to: '/$organizationId/keys', label: 'API keys', Icon: IconKey, adminsOnly: true },
  { to: '/$organizationId/requests', label: 'Requests', Icon: IconListDetails, adminsOnly: true },
  { to: '/$organizationId/webhook', label: 'Webhook', Icon: IconWebhook, adminsOnly: true },
  { to: '/$organizationId/listen', label: 'Listen', Icon: IconTerminal2, adminsOnly: true },
  { to: '/$organizationId/members', label: 'Members', Icon: IconUserPlus, adminsOnly: true },
  { to: '/$organizationId/security', label: 'Security', Icon: IconShieldLock, adminsOnly: true },
  { to: '/$organizationId/notifications', label: 'Notifications', Icon: IconBell, adminsOnly: true },
  { to: '/$organizationId/activity', label: 'Activity', Icon: IconHistory, adminsOnly: true },
] as const

export function Navigation() {
  const { id, isAdmin } = useOrganization()
  const shown = pages.filter(({ adminsOnly }) => isAdmin || !adminsOnly)
  const { pathname } = useLocation()
  const list = useRef<HTMLUListElement>(null)
  // On a phone the list is wider than the screen. The path decides which link is the current one. scrollIntoView would do
  // it too, but Tab would then start at that link instead of at the top of the page.
  useEffect(() => {
    const current = list.current?.querySelector('[aria-current="page"]')?.parentElement
    if (current) list.current?.scrollTo({ left: current.offsetLeft - current.offsetWidth })
  }, [pathname])
  return (
    <nav className={classes.navigation} aria-label="Settings">
      <ul className={classes.list} ref={list}>
        {shown.map(({ to, label, Icon }) => (
          <li key={to}>
            <Link
              to={to}
              params={{ organizationId: id }}
              className={classes.link}
              activeOptions={{ includeSearch: false }}
            >
              <Icon size={20} stroke={1.75} aria-hidden />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

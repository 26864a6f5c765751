import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  notFound,
  Outlet,
  type ParsedLocation,
  redirect,
} from '@tanstack/react-router'
import { AccountPage } from './account/AccountPage.tsx'
import { SetUpSecondFactor } from './account/SetUpSecondFactor.tsx'
import { ActivityPage } from './activity/ActivityPage.tsx'
import { ApiError } from './api.ts'
import { DeliveriesPage } from './deliveries/DeliveriesPage.tsx'
import { DeliveryDrawer } from './deliveries/DeliveryDrawer.tsx'
import { readFilter } from './deliveries/filter.ts'
import { InterviewsPage } from './interviews/InterviewsPage.tsx'
import { readKind, readSearch } from './interviews/search.ts'
import { KeysPage } from './keys/KeysPage.tsx'
import { ListenPage } from './listen/ListenPage.tsx'
import { MembersPage } from './members/MembersPage.tsx'
import { NotificationsPage } from './notifications/NotificationsPage.tsx'
import { RequestsPage } from './requests/RequestsPage.tsx'
import { readRequestFilter } from './requests/request-filter.ts'
import { SecurityPage } from './security/SecurityPage.tsx'
import { AcceptInvitation } from './session/AcceptInvitation.tsx'
import { ForgotPassword } from './session/ForgotPassword.tsx'
import { NoOrganization } from './session/NoOrganization.tsx'
import { ResetPassword } from './session/ResetPassword.tsx'
import { SignIn } from './session/SignIn.tsx'
import { SingleSignOn } from './session/SingleSignOn.tsx'
import { sessionQuery } from './session/session.ts'
import { isSignOnRefusal, type SignOnRefusal } from './session/sign-on-refusals.ts'
import { AdminOnly } from './shell/AdminOnly.tsx'
import { NotFound } from './shell/NotFound.tsx'
import { Pending } from './shell/Pending.tsx'
import { Problem } from './shell/Problem.tsx'
import { Shell } from './shell/Shell.tsx'
import { WebhookPage } from './webhook/WebhookPage.tsx'

type Context = { queries: QueryClient }

const root = createRootRouteWithContext<Context>()({ component: Outlet, notFoundComponent: NotFound })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string; ended?: 'yes'; refused?: SignOnRefusal } => ({
    ...(typeof search.next === 'string' && isWithinSettings(search.next) && { next: search.next }),
    ...(search.ended === 'yes' && { ended: 'yes' }),
    ...(isSignOnRefusal(search.refused) && { refused: search.refused }),
  }),
  component: SignIn,
})

const singleSignOn = createRoute({
  getParentRoute: () => root,
  path: '/single-sign-on',
  validateSearch: (search: Record<string, unknown>): { next?: string } =>
    typeof search.next === 'string' && isWithinSettings(search.next) ? { next: search.next } : {},
  component: SingleSignOn,
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: ForgotPassword,
})

const resetPassword = createRoute({ getParentRoute: () => root, path: '/reset-password', component: ResetPassword })

const invitation = createRoute({ getParentRoute: () => root, path: '/invitation', component: AcceptInvitation })

/** Where people land whose organization requires two-step verification. */
const secondFactor = createRoute({
  getParentRoute: () => root,
  path: '/second-factor',
  beforeLoad: async ({ context, location }) => ({ session: await requireSession(context, location) }),
  component: SetUpSecondFactor,
})

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ context, location }) => {
    const [first] = (await requireSession(context, location)).organizations
    if (first !== undefined) throw redirect({ to: '/$organizationId/deliveries', params: { organizationId: first.id } })
  },
  component: NoOrganization,
})

const organization = createRoute({
  getParentRoute: () => root,
  path: '/$organizationId',
  beforeLoad: async ({ context, location, params }) => {
    const session = await requireSession(context, location)
    const organization = session.organizations.find(({ id }) => id === params.organizationId)
    if (organization === undefined) throw notFound()
    if (organization.secondFactorMissing) throw redirect({ to: '/second-factor' })
    return { session, organization }
  },
  component: Shell,
})

const organizationStart = createRoute({
  getParentRoute: () => organization,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$organizationId/deliveries', params })
  },
})

const deliveries = createRoute({
  getParentRoute: () => organization,
  path: '/deliveries',
  validateSearch: readFilter,
  component: DeliveriesPage,
})

const delivery = createRoute({
  getParentRoute: () => deliveries,
  path: '/$deliveryId',
  component: DeliveryDrawer,
})

const interviews = createRoute({
  getParentRoute: () => organization,
  path: '/interviews/$kind',
  params: { parse: ({ kind }) => ({ kind: readKind(kind) }), stringify: ({ kind }) => ({ kind }) },
  validateSearch: readSearch,
  component: InterviewsPage,
})

const interviewsStart = createRoute({
  getParentRoute: () => organization,
  path: '/interviews',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$organizationId/interviews/$kind', params: { ...params, kind: 'results' } })
  },
})

const account = createRoute({ getParentRoute: () => organization, path: '/account', component: AccountPage })

const admins = createRoute({ getParentRoute: () => organization, id: 'admins', component: AdminOnly })
const keys = createRoute({ getParentRoute: () => admins, path: '/keys', component: KeysPage })
const webhook = createRoute({ getParentRoute: () => admins, path: '/webhook', component: WebhookPage })
const listen = createRoute({ getParentRoute: () => admins, path: '/listen', component: ListenPage })
const members = createRoute({ getParentRoute: () => admins, path: '/members', component: MembersPage })
const security = createRoute({ getParentRoute: () => admins, path: '/security', component: SecurityPage })
const notifications = createRoute({
  getParentRoute: () => admins,
  path: '/notifications',
  component: NotificationsPage,
})
const requests = createRoute({
  getParentRoute: () => admins,
  path: '/requests',
  validateSearch: readRequestFilter,
  component: RequestsPage,
})
const activity = createRoute({ getParentRoute: () => admins, path: '/activity', component: ActivityPage })

const routeTree = root.addChildren([
  signIn,
  singleSignOn,
  forgotPassword,
  resetPassword,
  invitation,
  secondFactor,
  start,
  organization.addChildren([
    organizationStart,
    deliveries.addChildren([delivery]),
    interviewsStart,
    interviews,
    account,
    admins.addChildren([keys, requests, webhook, listen, members, security, notifications, activity]),
  ]),
])

export function createSettingsRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    basepath: '/settings',
    context: { queries },
    scrollRestoration: true,
    defaultErrorComponent: Problem,
    defaultPendingComponent: Pending,
    defaultPendingMs: 300,
    // Without this, a route also gets the parameters that its `validateSearch` leaves out.
    search: { strict: true },
    // Plain names and values instead of JSON, because people read and share these URLs.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const params = Object.entries(search).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, `${value}`]],
      )
      return params.length === 0 ? '' : `?${new URLSearchParams(params)}`
    },
  })
}

/** The session, or a redirect to the sign-in page that leads back here. */
async function requireSession({ queries }: Context, location: ParsedLocation) {
  return queries.ensureQueryData(sessionQuery).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    throw redirect({ to: '/sign-in', search: location.pathname === '/' ? {} : { next: location.publicHref } })
  })
}

/** Prevents open redirects: `next` must be a path on this page, with no scheme or host. */
function isWithinSettings(address: string): boolean {
  return (
    /^\/settings(\/|\?|$)/.test(address) && new URL(address, window.location.origin).pathname.startsWith('/settings')
  )
}

import type { Page } from 'playwright-core'
import { pauseOrganization } from '../../server/queue/pauses.ts'
import type { Deliveries } from '../../support/deliveries.ts'
import type { Scene } from './scene.ts'

export type View = {
  name: string
  signedOut?: boolean
  /** What must be true before the page is opened. It stays so for the views that follow. */
  given?(deliveries: Deliveries, scene: Scene): Promise<void>
  at(scene: Scene): string
  /** Brings the page to where it is worth a look. */
  ready(page: Page): Promise<void>
}

/** Every page of the settings area, and the dialogs that matter. */
export const views: View[] = [
  {
    name: 'sign-in',
    signedOut: true,
    at: () => '',
    ready: (page) => page.getByRole('button', { name: 'Sign in' }).waitFor(),
  },
  {
    name: 'deliveries',
    at: ({ organizationId }) => `/${organizationId}/deliveries`,
    ready: (page) => page.getByRole('link', { name: 'Grace Hopper' }).first().waitFor(),
  },
  {
    name: 'delivery',
    at: ({ organizationId, failedDeliveryId }) => `/${organizationId}/deliveries/${failedDeliveryId}`,
    async ready(page) {
      await page.getByText('Response body (first 1 KB)').click()
      await page.getByRole('button', { name: 'Show payload' }).click()
      await page.getByText('X-Service-Event-Id', { exact: false }).first().waitFor()
      await page.getByRole('heading', { name: /^Delivery for/ }).hover()
    },
  },
  {
    name: 'retry-all',
    at: ({ organizationId }) => `/${organizationId}/deliveries?status=FAILED`,
    async ready(page) {
      await page.getByRole('button', { name: 'Retry matching failures' }).click()
      await page.getByText(/failed deliver(y|ies) match/).waitFor()
    },
  },
  {
    name: 'nothing-found',
    at: ({ organizationId }) => `/${organizationId}/deliveries?search=nobody`,
    ready: (page) => page.getByText('No matching deliveries').waitFor(),
  },
  ...(['results', 'invitations', 'templates'] as const).map((kind) => ({
    name: kind,
    at: ({ organizationId }: Scene) => `/${organizationId}/interviews/${kind}`,
    ready: (page: Page) => page.getByRole('button', { name: /^Copy/ }).first().waitFor(),
  })),
  {
    name: 'requests',
    at: ({ organizationId }) => `/${organizationId}/requests`,
    ready: (page) => page.getByText('POST /v1/interview-invitations').first().waitFor(),
  },
  {
    name: 'keys',
    at: ({ organizationId }) => `/${organizationId}/keys`,
    ready: (page) => page.getByText('ATS production').first().waitFor(),
  },
  {
    name: 'new-key',
    at: ({ organizationId }) => `/${organizationId}/keys`,
    async ready(page) {
      await page.getByRole('button', { name: 'New key' }).click()
      await page.getByRole('textbox', { name: 'Label' }).fill('Careers site')
      await page.getByRole('checkbox', { name: 'invitations:write' }).check()
    },
  },
  {
    name: 'edit-key',
    at: ({ organizationId }) => `/${organizationId}/keys`,
    async ready(page) {
      await page.getByRole('button', { name: 'Edit Reporting' }).click()
      await page.getByRole('combobox', { name: 'Expires' }).selectOption('On a date')
      await page.getByLabel('Last day').fill('2030-01-31')
    },
  },
  {
    name: 'rotate-key',
    at: ({ organizationId }) => `/${organizationId}/keys`,
    async ready(page) {
      await page.getByRole('button', { name: 'Rotate ATS production' }).click()
      await page.getByRole('combobox', { name: 'The old key stops working' }).waitFor()
    },
  },
  {
    name: 'key-shown-once',
    at: ({ organizationId }) => `/${organizationId}/keys`,
    async ready(page) {
      await page.getByRole('button', { name: 'New key' }).click()
      await page.getByRole('textbox', { name: 'Label' }).fill('Careers site')
      await page.getByRole('checkbox', { name: 'results:read' }).check()
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByText('You won’t see it again').waitFor()
    },
  },
  {
    name: 'webhook',
    at: ({ organizationId }) => `/${organizationId}/webhook`,
    async ready(page) {
      await page.getByRole('button', { name: 'Check now' }).click()
      await page.getByText(/checks? failed|All checks passed/).waitFor()
    },
  },
  {
    name: 'webhook-address',
    at: ({ organizationId }) => `/${organizationId}/webhook`,
    async ready(page) {
      await page.getByRole('button', { name: 'Change URL' }).click()
      await page.getByRole('textbox', { name: 'Endpoint URL' }).fill('https://10.0.0.7/interviews')
      await page.getByRole('button', { name: 'Check', exact: true }).click()
      await page.getByText('Endpoint check').waitFor()
    },
  },
  {
    name: 'listen',
    at: ({ organizationId }) => `/${organizationId}/listen`,
    ready: (page) => page.getByRole('button', { name: 'New token' }).waitFor(),
  },
  {
    name: 'listen-token-shown-once',
    at: ({ organizationId }) => `/${organizationId}/listen`,
    async ready(page) {
      await page.getByRole('button', { name: 'New token' }).click()
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.getByText('You won’t see it again').waitFor()
    },
  },
  {
    name: 'webhook-secret',
    at: ({ organizationId }) => `/${organizationId}/webhook`,
    async ready(page) {
      await page.getByRole('button', { name: /^(Change secret|Discard)$/ }).waitFor()
      if ((await page.getByRole('button', { name: 'Discard' }).count()) === 0) {
        await page.getByRole('button', { name: 'Change secret' }).click()
        await page.getByRole('button', { name: 'Prepare secret' }).click()
        await page.getByRole('button', { name: 'I’ve saved it' }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      await page.getByRole('button', { name: 'Check both secrets' }).click()
      await page.getByText('Signed with the new secret').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'change-secret',
    at: ({ organizationId }) => `/${organizationId}/webhook`,
    async ready(page) {
      await page.getByRole('button', { name: /^(Change secret|Discard)$/ }).waitFor()
      if ((await page.getByRole('button', { name: 'Discard' }).count()) > 0) {
        await page.getByRole('button', { name: 'Discard' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      await page.getByRole('button', { name: 'Change secret' }).click()
      await page.getByRole('radio', { name: 'Immediately' }).check()
    },
  },
  {
    name: 'notifications',
    at: ({ organizationId }) => `/${organizationId}/notifications`,
    ready: (page) => page.getByText('1 waiting').first().waitFor(),
  },
  {
    name: 'activity',
    at: ({ organizationId }) => `/${organizationId}/activity`,
    ready: (page) => page.getByText('revoked the API key').waitFor(),
  },
  {
    name: 'members',
    at: ({ organizationId }) => `/${organizationId}/members`,
    ready: (page) => page.getByText('alan@acme.example').waitFor(),
  },
  {
    name: 'invite-member',
    at: ({ organizationId }) => `/${organizationId}/members`,
    async ready(page) {
      await page.getByRole('button', { name: 'Invite' }).click()
      await page.getByRole('dialog').getByRole('textbox', { name: 'Email' }).fill('barbara@acme.example')
      await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
      await page.getByText('We’re emailing the link to barbara@acme.example.').waitFor()
    },
  },
  {
    name: 'security',
    at: ({ organizationId }) => `/${organizationId}/security`,
    async ready(page) {
      await page.getByRole('button', { name: 'Require for everyone' }).waitFor()
      await page.getByRole('textbox', { name: 'Issuer' }).fill('https://login.acme.example')
    },
  },
  {
    name: 'account',
    at: ({ organizationId }) => `/${organizationId}/account`,
    ready: (page) => page.getByText('This browser').waitFor(),
  },
  {
    name: 'second-factor',
    at: ({ organizationId }) => `/${organizationId}/account`,
    async ready(page) {
      await page.getByRole('button', { name: 'Set up' }).click()
      await page.getByLabel('Your password').fill('a good long password')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    },
  },
  {
    name: 'invitation',
    signedOut: true,
    at: ({ links }) => `/invitation#${links.invitation}`,
    ready: (page) => page.getByRole('button', { name: 'Join' }).waitFor(),
  },
  {
    name: 'reset-password',
    signedOut: true,
    at: ({ links }) => `/reset-password#${links.reset}`,
    ready: (page) => page.getByRole('button', { name: 'Change password' }).waitFor(),
  },
  {
    name: 'forgot-password',
    signedOut: true,
    at: () => '/forgot-password',
    ready: (page) => page.getByRole('button', { name: 'Send reset link' }).waitFor(),
  },
  {
    name: 'single-sign-on',
    signedOut: true,
    at: () => '/single-sign-on',
    ready: (page) => page.getByRole('button', { name: 'Continue' }).waitFor(),
  },
  {
    name: 'enter-code',
    signedOut: true,
    at: () => '/sign-in',
    async ready(page) {
      await signInAs(page, 'grace@acme.example')
      await page.getByRole('textbox', { name: 'Code' }).waitFor()
    },
  },
  {
    name: 'second-factor-required',
    signedOut: true,
    at: () => '/sign-in',
    async ready(page) {
      await signInAs(page, 'edsger@northwind.example')
      await page.getByText('Required by Northwind.').waitFor()
    },
  },
  {
    name: 'webhook-pace',
    at: ({ organizationId }) => `/${organizationId}/webhook`,
    async ready(page) {
      const limit = page.getByRole('textbox', { name: 'Maximum events per second' })
      await limit.fill('20')
      await limit.scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'waiting',
    given: ({ service }, { organizationId }) => pauseOrganization(service.database, organizationId, 600),
    at: ({ organizationId }) => `/${organizationId}/deliveries`,
    ready: (page) => page.getByText('Waiting: the receiver asked for a pause until').waitFor(),
  },
]

async function signInAs(page: Page, email: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill('a good long password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

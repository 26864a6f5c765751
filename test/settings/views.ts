import type { Page } from 'playwright-core'
import type { Scene } from './scene.ts'

export type View = {
  name: string
  signedOut?: boolean
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
      await page.getByText('First bytes of the response').click()
      await page.getByRole('button', { name: 'Show the payload' }).click()
      await page.getByText('X-Service-Event-Id', { exact: false }).first().waitFor()
      await page.getByRole('heading', { name: /^Delivery for/ }).hover()
    },
  },
  {
    name: 'retry-all',
    at: ({ organizationId }) => `/${organizationId}/deliveries?status=FAILED`,
    async ready(page) {
      await page.getByRole('button', { name: 'Retry all failed that match' }).click()
      await page.getByText(/failed deliver(y|ies) match/).waitFor()
    },
  },
  {
    name: 'nothing-found',
    at: ({ organizationId }) => `/${organizationId}/deliveries?search=nobody`,
    ready: (page) => page.getByText('Nothing matches').waitFor(),
  },
  {
    name: 'keys',
    at: ({ organizationId }) => `/${organizationId}/keys`,
    ready: (page) => page.getByText('ATS production').waitFor(),
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
    name: 'key-shown-once',
    at: ({ organizationId }) => `/${organizationId}/keys`,
    async ready(page) {
      await page.getByRole('button', { name: 'New key' }).click()
      await page.getByRole('textbox', { name: 'Label' }).fill('Careers site')
      await page.getByRole('checkbox', { name: 'results:read' }).check()
      await page.getByRole('button', { name: 'Make the key' }).click()
      await page.getByText('This is the only time').waitFor()
    },
  },
  {
    name: 'webhook',
    at: ({ organizationId }) => `/${organizationId}/webhook`,
    async ready(page) {
      await page.getByRole('button', { name: 'Check now' }).click()
      await page.getByText(/things? to change|All good/).waitFor()
    },
  },
  {
    name: 'webhook-address',
    at: ({ organizationId }) => `/${organizationId}/webhook`,
    async ready(page) {
      await page.getByRole('button', { name: 'Change the address' }).click()
      await page.getByRole('textbox', { name: 'Address' }).fill('https://10.0.0.7/interviews')
      await page.getByRole('button', { name: 'Check only' }).click()
      await page.getByText('What the service sees there').waitFor()
    },
  },
  {
    name: 'activity',
    at: ({ organizationId }) => `/${organizationId}/activity`,
    ready: (page) => page.getByText('revoked the API key').waitFor(),
  },
]

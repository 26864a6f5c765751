import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signedInMember } from '../../support/members.ts'
import { inBrowser } from './in-browser.ts'

inBrowser('the addresses on the settings page', (stage) => {
  test('unknown parameters and invalid values in the address are ignored', async () => {
    const { deliveries, deliver, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    await deliver(subscriber, 200)
    const { organizationId } = subscriber
    const admin = await signedInMember(service, 'admin', organizationId)
    await using visited = await visit({ as: admin, at: `/${organizationId}/deliveries` })
    const { page } = visited
    const found = {
      deliveries: page.getByText('1 delivery shown'),
      requests: page.getByText('POST /v1/templates'),
      'interviews/results': page.getByRole('link', { name: /^Open the delivery/ }),
    }
    for (const [path, address] of [
      ['deliveries', 'last=month'],
      ['deliveries', 'last=y'],
      ['deliveries', 'from=garbage'],
      ['deliveries', 'to='],
      ['deliveries', 'utm_source=slack'],
      ['deliveries', 'status=failed&error=x&search='],
      ['requests', 'only=foo&requestId='],
      ['requests', 'utm_source=slack'],
      ['interviews/results', 'search='],
      ['interviews/results', 'utm_source=slack'],
    ] as const) {
      await page.goto(`${service.url}/settings/${organizationId}/${path}?${address}`)
      await found[path].first().waitFor()
      assert.equal(new URL(page.url()).search, '', address)
      assert.equal(await page.getByRole('alert').count(), 0, address)
    }
    await page.goto(`${service.url}/settings/${organizationId}/deliveries?utm_source=slack&status=DELIVERED`)
    await found.deliveries.waitFor()
    assert.equal(new URL(page.url()).search, '?status=DELIVERED')
  })

  test('after signing in, people stay on the settings page, whatever the address asks for', async () => {
    const { deliveries, service, visit } = stage()
    const { organizationId } = await deliveries.subscriber()
    const admin = await signedInMember(service, 'admin', organizationId)
    for (const [next, path] of [
      ['https://example.com/x', 'deliveries'],
      ['/settings/../../evil', 'deliveries'],
      [`/settings/${organizationId}/requests?only=foo`, 'requests'],
      [`/settings/${organizationId}/requests?only=errors#top`, 'requests?only=errors#top'],
    ] as const) {
      const search = new URLSearchParams({ next, refused: 'nonsense', ended: 'no' })
      await using visited = await visit({ at: `/sign-in?${search}` })
      const { page } = visited
      await page.getByRole('textbox', { name: 'Email' }).fill(admin.email)
      assert.equal(await page.getByRole('alert').count(), 0)
      assert.equal(await page.getByText('Your session has ended').count(), 0)
      await page.getByLabel('Password', { exact: true }).fill(admin.password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: /Deliveries|Requests/ }).waitFor()
      await page.waitForURL(`${service.url}/settings/${organizationId}/${path}`)
    }
  })
})

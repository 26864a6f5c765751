import { test } from 'node:test'
import { signedInMember } from '../../support/members.ts'
import { inBrowser } from './in-browser.ts'

inBrowser('a time in a filter', (stage) => {
  test('a year of five digits gives a message, and a year of four takes effect', async () => {
    const { service, visit } = stage()
    const { organizationId } = await service.partner()
    const viewer = await signedInMember(service, 'viewer', organizationId)
    await using visited = await visit({ as: viewer, at: `/${organizationId}/deliveries` })
    const { page } = visited
    await page.getByRole('combobox', { name: 'Time', exact: true }).selectOption('Custom range')
    const from = page.getByLabel('Created after', { exact: true })
    await from.fill('20260-01-01T00:00')
    await from.press('Enter')
    await page.getByText('Enter a time before the year 10000').waitFor()
    await from.fill('2026-01-01T00:00')
    await from.press('Enter')
    await page.waitForURL(/from=2026-01-01/)
  })
})

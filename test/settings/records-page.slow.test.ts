import assert from 'node:assert/strict'
import { test } from 'node:test'
import sql from 'sql-template-tag'
import { signedInMember } from '../../support/members.ts'
import { inBrowser } from './in-browser.ts'

inBrowser('the pages of interviews and requests', (stage) => {
  test('a delivery leads to its result, its invitation and its template, and back', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const { deliveryId, resultId, invitation } = await subscriber.complete()
    await subscriber.complete()
    const viewer = await signedInMember(service, 'viewer', subscriber.organizationId)
    const at = `/${subscriber.organizationId}/deliveries/${deliveryId}`
    await using visited = await visit({ as: viewer, at })
    const { page } = visited
    await page.getByRole('link', { name: 'Show result' }).click()
    await page.getByRole('cell', { name: new RegExp(resultId) }).waitFor()
    assert.equal(await page.getByRole('row').count(), 2, 'the heading and the one result')
    await page.getByRole('link', { name: 'Show', exact: true }).click()
    await page.getByRole('cell', { name: new RegExp(invitation.id) }).waitFor()
    await page.getByRole('link', { name: /^Open the delivery/ }).click()
    await page.waitForURL(`**/deliveries/${deliveryId}`)
    await page
      .getByRole('dialog')
      .getByRole('link', { name: /^Backend engineer/ })
      .click()
    await page.getByRole('cell', { name: new RegExp(invitation.templateId) }).waitFor()

    await page.getByRole('tab', { name: 'Results' }).click()
    await page.waitForURL('**/interviews/results')
    await page.goBack()
    await page.waitForURL(`**/interviews/templates?search=${invitation.templateId}`)
    await page.goForward()
    await page
      .getByRole('row', { name: /Ada Lovelace/ })
      .nth(1)
      .waitFor()
    await page.getByRole('searchbox').fill('nobody')
    await page.getByText('No matching results').waitFor()
  })

  test('a name is isolated, so that one from right to left doesn’t turn what is around it', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const { organizationId } = subscriber
    const { deliveryId } = await subscriber.complete()
    const name = 'עדה לאבלייס (2)'
    await service.database.query(sql`
      update interviews set first_name = ${name}, last_name = '' where organization_id = ${organizationId}`)
    const viewer = await signedInMember(service, 'viewer', organizationId)
    await using visited = await visit({ as: viewer, at: `/${organizationId}/deliveries/${deliveryId}` })
    const { page } = visited
    await page
      .getByRole('heading', { name: `Delivery for ${name}` })
      .locator('bdi', { hasText: name })
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name }).locator('bdi').waitFor()
    await page.getByRole('link', { name: 'Interviews' }).click()
    await page.getByRole('cell', { name }).locator('bdi', { hasText: name }).waitFor()
  })

  test('a new interview shows up in the list by itself', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    await subscriber.complete()
    const viewer = await signedInMember(service, 'viewer', subscriber.organizationId)
    await using visited = await visit({ as: viewer, at: `/${subscriber.organizationId}/interviews/results` })
    const { page } = visited
    await page.clock.install()
    await page.reload()
    await page.locator('main tbody tr').waitFor()
    const { resultId } = await subscriber.complete()
    await page.clock.runFor(15_000)
    await page.getByText(resultId).waitFor({ timeout: 10_000 })
  })

  test('a request is found by its ID', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const { headers } = await subscriber.call('GET', '/v1/templates/tpl_unknown')
    const requestId = headers.get('x-request-id') ?? assert.fail()
    await subscriber.call('GET', '/v1/templates')
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    await using visited = await visit({ as: admin, at: `/${subscriber.organizationId}/requests` })
    const { page } = visited
    await page.getByRole('searchbox').fill(requestId)
    const row = page.getByRole('row', { name: new RegExp(requestId) })
    await row.getByText('Template not found').waitFor()
    await row.getByText('GET /v1/templates/:id').waitFor()
    await page.getByRole('searchbox').fill('')
    await page.getByRole('radiogroup', { name: 'Which requests' }).getByText('Errors').click()
    await page.waitForURL(/only=errors/)
    await row.waitFor()
    await page.getByRole('searchbox').fill('unknown')
    await page.getByText('No matching requests').waitFor()
    assert.equal(await page.getByText('Requests with a valid API key show up here.').count(), 0)
  })
})

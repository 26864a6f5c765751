import { test } from 'node:test'
import { holdResponse, inBrowser } from './in-browser.ts'

type Invited = { inviteUrl: string }

inBrowser('the form of a sandbox interview', (stage) => {
  test('it can be sent again after the browser’s Stop button ended the first try', async () => {
    const { service, visit } = stage()
    const partner = await service.partner()
    const template = await partner.call<{ id: string }>('POST', '/v1/templates', { title: 'Any', description: 'Any' })
    const candidate = { email: 'ada@example.com', firstName: 'Ada' }
    const invited = await partner.call<Invited>('POST', '/v1/interview-invitations', {
      templateId: template.body.id,
      candidate,
    })
    const path = new URL(invited.body.inviteUrl).pathname
    await using visited = await visit({ at: `/..${path}` })
    const { page } = visited
    const complete = page.getByRole('button', { name: 'Complete interview' })
    await complete.waitFor()
    await page.clock.install()
    const held = await holdResponse(page, /\/interview\//, 'POST')
    await complete.click({ noWaitAfter: true })
    await held.asked
    const browser = await page.context().newCDPSession(page)
    await browser.send('Page.stopLoading')
    await page.getByRole('button', { name: 'Complete interview', disabled: true }).waitFor()
    await page.clock.runFor(5_000)
    await page.getByRole('button', { name: 'Complete interview', disabled: false }).waitFor()
    held.release()
  })
})

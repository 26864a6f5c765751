import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { sign } from '../../server/endpoints/signature.ts'
import type { CurrentWebhook } from '../../server/http/settings/schemas.ts'
import type { Subscriber } from '../../support/deliveries.ts'
import { signedInMember } from '../../support/members.ts'
import type { ReceivedRequest } from '../../support/receiver.ts'
import { inBrowser, inspect, type Stage, waitForFocus } from './in-browser.ts'

inBrowser('the webhook page', (stage) => {
  async function open({ service, deliveries, visit }: Stage, { as: role = 'admin' as const } = {}) {
    const subscriber = await deliveries.subscriber()
    const admin = await signedInMember(service, role, subscriber.organizationId)
    const visited = await visit({ as: admin, at: `/${subscriber.organizationId}/webhook` })
    const at = (path: string) => `/organizations/${subscriber.organizationId}/webhook${path}`
    const saved = async () => (await admin.call<CurrentWebhook>('GET', at(''))).body.webhook
    const savedUrl = async () => (await saved())?.url
    const change = (method: string, path: string, body?: unknown) => admin.call(method, at(path), body)
    return { subscriber, visited, page: visited.page, saved, savedUrl, change }
  }

  async function isSignedWith(subscriber: Subscriber, secret: string): Promise<boolean> {
    const { deliveryId } = await subscriber.complete()
    await stage().deliveries.attempt(deliveryId)
    const request = subscriber.requests.at(-1)
    assert.ok(request)
    return isSignature(request, secret)
  }

  test('a secret is changed without losing an event: prepare, both accepted, activate · SET-7', async () => {
    const { subscriber, visited, page } = await open(stage())
    await using _ = visited
    const accepted = [subscriber.secret]
    subscriber.answer((request) => ({ status: accepted.some((secret) => isSignature(request, secret)) ? 200 : 401 }))
    await page.getByRole('button', { name: 'Change secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Prepare secret' }).click()
    const secret = await page.getByRole('textbox', { name: 'Signing secret' }).inputValue()
    assert.match(secret, /^whsec_[\w-]{43}$/)
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByText('A new secret is prepared').waitFor()
    assert.ok(await isSignedWith(subscriber, subscriber.secret), 'the current one still signs')

    await page.getByRole('button', { name: 'Activate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Activate anyway?' })
    await finding(dialog, 'Signed with the new secret', 'Failed').waitFor()
    await finding(dialog, 'Signed with the current secret', 'Passed').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.ok(await isSignedWith(subscriber, subscriber.secret), 'nothing was activated')

    accepted.push(secret)
    await page.getByRole('button', { name: 'Check both secrets' }).click()
    await finding(page, 'Signed with the new secret', 'Passed').waitFor()
    await finding(page, 'Signed with the current secret', 'Passed').waitFor()
    assert.ok(await isSignedWith(subscriber, subscriber.secret), 'checking changes nothing')
    await page.getByRole('button', { name: 'Activate' }).click()
    await page.getByText('New signing secret activated.').waitFor()
    await waitForFocus(page, 'Signing secret')
    assert.ok(await isSignedWith(subscriber, secret))
    await page.getByRole('button', { name: 'Change secret' }).waitFor()
  })

  test('a prepared secret is discarded, or activated against advice · SET-7', async () => {
    const { subscriber, visited, page } = await open(stage())
    await using _ = visited
    subscriber.answer((request) => ({ status: isSignature(request, subscriber.secret) ? 200 : 401 }))
    const prepare = async () => {
      await page.getByRole('button', { name: 'Change secret' }).click()
      await page.getByRole('radio', { name: 'Use my own' }).check()
      await page.getByRole('textbox', { name: 'Your secret' }).fill('a-secret-of-our-own')
      await page.getByRole('button', { name: 'Prepare secret' }).click()
      await page.getByText('A new secret is prepared').waitFor()
    }
    await prepare()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await page.getByText('New signing secret discarded.').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.ok(await isSignedWith(subscriber, subscriber.secret))

    await prepare()
    await page.getByRole('button', { name: 'Activate' }).click()
    await page.getByRole('button', { name: 'Activate anyway' }).click()
    await page.getByText('New signing secret activated.').waitFor()
    assert.ok(await isSignedWith(subscriber, 'a-secret-of-our-own'))
  })

  test('the endpoint check says in a sentence why there is nothing to check · SET-3', async () => {
    const { visited, page } = await open(stage())
    await using _ = visited
    await page.getByRole('button', { name: 'Change URL' }).click()
    await page.getByRole('textbox', { name: 'Endpoint URL' }).fill('nonsense')
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('The URL is not valid', { exact: true }).waitFor()
  })

  test('a secret that is changed immediately is shown before it takes effect · SET-3', async () => {
    const { subscriber, visited, page } = await open(stage())
    await using _ = visited
    await page.getByRole('button', { name: 'Change secret' }).click()
    await page.getByRole('radio', { name: 'Immediately' }).check()
    await page.getByText('Rejected events fail for good').waitFor()
    const secret = await page.getByRole('textbox', { name: 'New secret' }).inputValue()
    assert.match(secret, /^whsec_[\w-]{43}$/)
    assert.ok(await isSignedWith(subscriber, subscriber.secret), 'the old one still signs')
    await page.getByRole('dialog').getByRole('button', { name: 'Change immediately' }).click()
    await page.getByText('Signing secret changed.').waitFor()
    assert.ok(await isSignedWith(subscriber, secret))
  })

  test('an endpoint that can’t be reached is saved only after a second look · SET-3', async () => {
    const { subscriber, visited, page, savedUrl } = await open(stage())
    await using _ = visited
    const { hostname } = new URL(subscriber.url)
    const dead = `https://${hostname}:1/events`
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByRole('button', { name: 'Check again' }).waitFor()

    await page.getByRole('button', { name: 'Change URL' }).click()
    await page.getByRole('textbox', { name: 'Endpoint URL' }).fill(dead)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Save anyway?' })
    await dialog.getByText(/Could not connect/).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await savedUrl(), subscriber.url, 'canceling keeps the old one')
    await page.getByText(/Could not connect/).waitFor()

    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.getByRole('button', { name: 'Save anyway' }).click()
    await page.getByText('Webhook saved, but the endpoint can’t be reached.').waitFor()
    assert.equal(await savedUrl(), dead)
    await page.getByRole('button', { name: 'Check now' }).waitFor()
    assert.equal(await page.getByText('Check again').count(), 0, 'the checks of the old endpoint are gone')
  })

  test('a new secret resets the checks of the old one', async () => {
    const { visited, page } = await open(stage())
    await using _ = visited
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByRole('button', { name: 'Check again' }).waitFor()
    await page.getByRole('button', { name: 'Change secret' }).click()
    await page.getByRole('radio', { name: 'Immediately' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Change immediately' }).click()
    await page.getByRole('button', { name: 'Check now' }).waitFor()
  })

  test('what someone else changed meanwhile is said, and the page shows it', async () => {
    const { visited, page, saved, change } = await open(stage())
    await using _ = visited
    await page.getByRole('button', { name: 'Change secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Prepare secret' }).click()
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const since = (await saved())?.pendingSecretSince
    assert.equal((await change('DELETE', `/pending-secret?preparedAt=${since}`)).status, 200)
    await page.getByRole('button', { name: 'Activate' }).click()
    const gone = page.getByText('This signing secret is no longer prepared. Someone else changed it in the meantime.')
    await gone.waitFor()
    await page.getByRole('button', { name: 'Change secret' }).waitFor()

    assert.equal((await change('DELETE', '')).status, 204)
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByText('No webhook is set. Someone else changed it in the meantime.').waitFor()
    await page.getByRole('heading', { name: 'Add an endpoint' }).waitFor()
    assert.equal(await page.getByText('Enabled', { exact: true }).count(), 0)
    await waitForFocus(page, 'Endpoint URL')
  })

  test('a secret that someone else prepared meanwhile is neither activated nor discarded', async () => {
    const { subscriber, visited, page, saved, change } = await open(stage())
    await using _ = visited
    subscriber.answer((request) => ({ status: isSignature(request, subscriber.secret) ? 200 : 401 }))
    assert.equal((await change('POST', '/pending-secret', {})).status, 200)
    await page.reload()
    await page.getByRole('button', { name: 'Activate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Activate anyway?' })
    await dialog.getByText('Signed with the new secret', { exact: true }).waitFor()
    assert.equal((await change('POST', '/pending-secret', {})).status, 200)
    await dialog.getByRole('button', { name: 'Activate anyway' }).click()
    await page
      .getByText('This signing secret is no longer prepared. Someone else changed it in the meantime.')
      .waitFor()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('A new secret is prepared').waitFor()
    assert.equal(
      await page.getByText('Signed with the new secret', { exact: true }).count(),
      0,
      'the other one has not been checked',
    )
    assert.ok(await isSignedWith(subscriber, subscriber.secret))

    await page.getByRole('button', { name: 'Discard' }).click()
    const discarding = page.getByRole('dialog', { name: 'Discard the new secret?' })
    await discarding.waitFor()
    assert.equal((await change('POST', '/pending-secret', {})).status, 200)
    await discarding.getByRole('button', { name: 'Discard' }).click()
    await discarding.waitFor({ state: 'detached' })
    assert.notEqual((await saved())?.pendingSecretSince, null)
  })

  test('keeps the URL being typed when another admin adds a webhook, and saving it keeps their secret', async () => {
    const { subscriber, visited, page, savedUrl, change } = await open(stage())
    await using _ = visited
    assert.equal((await change('DELETE', '')).status, 204)
    await page.reload()
    await page.getByRole('heading', { name: 'Add an endpoint' }).waitFor()
    const url = page.getByRole('textbox', { name: 'Endpoint URL' })
    await url.fill(subscriber.url)
    await page.getByRole('radio', { name: 'Use my own' }).check()
    await page.getByRole('textbox', { name: 'Your secret' }).fill('a-secret-of-our-own')

    const theirs = { url: `${subscriber.url}?theirs`, secret: 'a-secret-of-the-other-admin' }
    const added = await change('PUT', '', theirs)
    assert.equal(added.status, 200, added.text)
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
    await page.getByRole('heading', { name: 'Change endpoint URL' }).waitFor()
    assert.equal(await url.inputValue(), subscriber.url)
    assert.equal(await page.getByRole('textbox', { name: 'Your secret' }).count(), 0)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Webhook saved.').waitFor()
    assert.equal(await savedUrl(), subscriber.url)
    assert.ok(await isSignedWith(subscriber, theirs.secret))
  })

  test('only a blocked address is given as the reason why TLS was not checked', async () => {
    const { visited, page } = await open(stage())
    await using _ = visited
    await page.getByRole('button', { name: 'Change URL' }).click()
    const blocked = page.getByText('the service doesn’t connect to a blocked address')
    for (const [url, found, isBlocked] of [
      ['nonsense', /not valid/, false],
      ['http://example.com/', /must begin with https/, false],
      ['https://10.0.0.7/events', /^10\.0\.0\.7 is /, true],
    ] as const) {
      await page.getByRole('textbox', { name: 'Endpoint URL' }).fill(url)
      await page.getByRole('button', { name: 'Check', exact: true }).click()
      await page.getByRole('listitem').filter({ hasText: found }).waitFor()
      assert.equal(await blocked.count(), isBlocked ? 1 : 0, url)
    }
  })

  test('errors are shown on their fields', async () => {
    const { visited, page } = await open(stage())
    await using _ = visited
    await page.getByRole('button', { name: 'Change URL' }).click()
    const url = page.getByRole('textbox', { name: 'Endpoint URL' })
    await url.fill('https://10.0.0.7/events')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    assert.match(await errorOn(url), /10\.0\.0\.7/)
    await page.getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('button', { name: 'Change secret' }).click()
    await page.getByRole('radio', { name: 'Use my own' }).check()
    const secret = page.getByRole('textbox', { name: 'Your secret' })
    await secret.fill('short')
    await page.getByRole('dialog').getByRole('button', { name: 'Prepare secret' }).click()
    assert.match(await errorOn(secret), /16 to 256 printable characters$/)
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Change password' }).click()
    const current = page.getByLabel('Current password', { exact: true })
    await current.fill('not the right one')
    const next = page.getByLabel('New password', { exact: true })
    await next.fill('brand new and long')
    await page.getByLabel('Confirm new password').fill('brand new and long')
    await page.getByRole('button', { name: 'Change password' }).click()
    assert.match(await errorOn(current), /current password/)
    assert.equal(await page.getByRole('alert').count(), 0)
  })

  test('focus stays on the page when a form or button goes away', async () => {
    const { subscriber, visited, page } = await open(stage())
    await using _ = visited
    await page.getByRole('button', { name: 'Change URL' }).click()
    await waitForFocus(page, 'Endpoint URL')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await waitForFocus(page, 'Endpoint')
    await page.getByRole('button', { name: 'Change URL' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Webhook saved.').waitFor()
    await waitForFocus(page, 'Endpoint')

    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('heading', { name: 'Add an endpoint' }).waitFor()
    await waitForFocus(page, 'Endpoint URL')
    await page.getByRole('textbox', { name: 'Endpoint URL' }).fill(subscriber.url)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await waitForFocus(page, 'Endpoint')
  })

  test('a URL breaks after its punctuation on a phone', async () => {
    const { deliveries, service, visit } = stage()
    const { organizationId, url } = await deliveries.subscriber({ host: 'a-rather-long-host-name-for-a-phone' })
    const admin = await signedInMember(service, 'admin', organizationId)
    const viewport = { width: 390, height: 844 }
    await using visited = await visit({ as: admin, at: `/${organizationId}/webhook`, viewport })
    const shown = visited.page.getByText(url)
    await shown.waitFor()
    const lines = await inspect(
      shown,
      `(() => {
      const lines = new Map()
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (let index = 0; index < node.length; index += 1) {
          const range = document.createRange()
          range.setStart(node, index)
          range.setEnd(node, index + 1)
          const top = Math.round(range.getBoundingClientRect().top)
          lines.set(top, (lines.get(top) ?? '') + node.data[index])
        }
      }
      return [...lines.values()]
    })()`,
    )
    assert.ok(Array.isArray(lines) && lines.length > 1, 'it takes two lines')
    for (const line of lines.slice(0, -1)) assert.match(line, /[@/.?&=_:-]$/)
  })
})

function isSignature({ headers, body }: ReceivedRequest, secret: string): boolean {
  const signature = String(headers['x-service-signature'])
  return signature === sign(body, secret, new Date(Number(/t=(\d+)/.exec(signature)?.[1]) * 1000))
}

function finding(within: Page | Locator, text: string, kind: 'Passed' | 'Failed'): Locator {
  return within.getByRole('listitem').filter({ hasText: text }).getByRole('img', { name: kind }).first()
}

/** The error a screen reader reads with the field. */
async function errorOn(field: Locator): Promise<string> {
  const page: Page = field.page()
  await page.locator('[aria-invalid=true]').waitFor()
  assert.equal(await field.getAttribute('aria-invalid'), 'true')
  const ids = (await field.getAttribute('aria-describedby')) ?? ''
  const texts = await Promise.all(ids.split(/\s+/).map((id) => page.locator(`[id="${id}"]`).innerText()))
  return texts.join(' ')
}

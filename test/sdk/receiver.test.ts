import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createMemoryStore } from '../../sdk/src/memory-store.ts'
import { createReceiver, type ReceiverOptions } from '../../sdk/src/receiver.ts'
import { imageOfSize } from '../../sdk/src/sample-event.ts'
import { doors, listen } from './receiving.ts'
import { now, secret, signed, toRequest } from './signed.ts'

function start(options: Partial<ReceiverOptions> = {}) {
  const processed: string[] = []
  const images: number[] = []
  const errors: [error: unknown, resultId: string | null][] = []
  const receiver = createReceiver({
    secret,
    seen: createMemoryStore(),
    onResult: ({ resultId }, image) => {
      processed.push(resultId)
      images.push(image.length)
    },
    onError: (...error) => errors.push(error),
    now: () => now,
    ...options,
  })
  return { receiver, processed, images, errors }
}

for (const { name, send } of doors) {
  describe(name, () => {
    test('an event gets 200 and is processed with its image · THU-1', async () => {
      const { receiver, processed, images } = start()
      const { headers, body, resultId } = await signed()
      const { status } = await send(receiver, { headers, pieces: [body] })
      assert.equal(status, 200)
      await receiver.idle()
      assert.deepEqual([processed, images], [[resultId], [666]])
    })

    test('the response is the same however the body is split · SIG-4', async () => {
      const { headers, body } = await signed()
      const altered = body.with(700, 0x20)
      const property = fc.asyncProperty(fc.array(fc.nat(body.length), { maxLength: 12 }), async (cuts) => {
        const { receiver, processed } = start()
        const ends = [...cuts.sort((one, other) => one - other), body.length]
        const split = (whole: Uint8Array) => ends.map((end, index) => whole.subarray(ends[index - 1] ?? 0, end))
        assert.equal((await send(receiver, { headers, pieces: split(altered) })).status, 401)
        assert.equal((await send(receiver, { headers, pieces: split(body) })).status, 200)
        await receiver.idle()
        assert.equal(processed.length, 1)
      })
      await fc.assert(property, { numRuns: 50 })
    })

    test('a duplicate gets 200 and is not processed again, even ten at once · DLV-2', async () => {
      const { receiver, processed } = start()
      const { headers, body } = await signed()
      const sending = () => send(receiver, { headers, pieces: [body] })
      const atOnce = await Promise.all(Array.from({ length: 10 }, sending))
      await receiver.idle()
      const later = await sending()
      await receiver.idle()
      assert.deepEqual(new Set([...atOnce, later].map(({ status }) => status)), new Set([200]))
      assert.equal(processed.length, 1)
    })

    test('the largest event is accepted, and a body over 2 MB is not · THU-2', async () => {
      const { receiver, images } = start()
      const largest = await signed({ image: imageOfSize(1_000_000) })
      assert.equal((await send(receiver, { headers: largest.headers, pieces: [largest.body] })).status, 200)
      await receiver.idle()
      assert.deepEqual(images, [1_000_000])

      const pieces = Array.from({ length: 31 }, () => new Uint8Array(65_536))
      assert.equal((await send(receiver, { headers: largest.headers, pieces })).status, 413)
    })

    test('an image that is too large, not Base64 or not a JPEG is rejected · THU-2 · THU-3', async () => {
      const { receiver, processed } = start()
      const whole = Buffer.from(imageOfSize(666))
      const faulty: string[] = [
        Buffer.from(imageOfSize(1_000_001)).toString('base64'),
        whole.subarray(0, -2).toString('base64'),
        whole.subarray(2).toString('base64'),
        Buffer.from('<html>').toString('base64'),
        `${whole.toString('base64')}\n`,
        whole.toString('base64url'),
        whole.toString('base64').slice(0, -1),
        '',
      ]
      for (const dataBase64 of faulty) {
        const change = (event: object) => ({ ...event, thumbnail: { contentType: 'image/jpeg', dataBase64 } })
        const { headers, body } = await signed({ change })
        const { status } = await send(receiver, { headers, pieces: [body] })
        assert.equal(status, 422, dataBase64.slice(0, 20))
      }
      await receiver.idle()
      assert.deepEqual(processed, [])
    })

    test('other methods, forgeries and bodies that are not events are rejected', async () => {
      const { receiver, processed } = start()
      const { headers, body } = await signed()
      const refused = await signed({ change: () => ({}) })
      assert.deepEqual(await send(receiver, { method: 'GET', headers, pieces: [] }), {
        status: 405,
        allow: 'POST',
        body: { error: 'Only POST is accepted' },
      })
      assert.equal((await send(receiver, { headers: {}, pieces: [body] })).status, 401)
      assert.equal((await send(receiver, { headers, pieces: [] })).status, 401)
      assert.equal((await send(receiver, { headers: refused.headers, pieces: [refused.body] })).status, 400)
      await receiver.idle()
      assert.deepEqual(processed, [])
    })

    test('the response does not wait for the processing', async () => {
      const work = Promise.withResolvers<void>()
      const { receiver } = start({ onResult: () => work.promise })
      const { headers, body } = await signed()
      assert.equal((await send(receiver, { headers, pieces: [body] })).status, 200)
      work.resolve()
      await receiver.idle()
    })

    test('an event that can’t be stored gets 500, so that it is sent again · DLV-11', async () => {
      const full = { ...createMemoryStore(), add: () => Promise.reject(new Error('disk full')) }
      const { receiver, errors } = start({ seen: full })
      const { headers, body, resultId } = await signed()
      assert.equal((await send(receiver, { headers, pieces: [body] })).status, 500)
      assert.deepEqual(errors, [[new Error('disk full'), resultId]])
    })
  })
}

test('failed processing is reported, and repeated when the event is sent again or by resume · DLV-11', async () => {
  let failures = 2
  const processed: string[] = []
  const { receiver, errors } = start({
    onResult({ resultId }) {
      if (failures-- > 0) throw new Error('database away')
      processed.push(resultId)
    },
  })
  const { headers, body, resultId } = await signed()
  const send = async () => {
    assert.equal((await receiver.handle(toRequest({ headers, body }))).status, 200)
    await receiver.idle()
  }
  await send()
  await send()
  assert.deepEqual([processed, errors.length], [[], 2])
  await receiver.resume()
  await send()
  await receiver.resume()
  assert.deepEqual(processed, [resultId])
  assert.deepEqual(errors[0], [new Error('database away'), resultId])
})

test('an error in onError is printed by name, and the receiver goes on', async (context) => {
  const printed: unknown[] = []
  context.mock.method(console, 'error', (...values: unknown[]) => printed.push(...values))
  const fail = () => {
    throw new TypeError('logger away')
  }
  for (const onError of [fail, async () => fail()]) {
    const { receiver } = start({ onResult: fail, onError })
    const { headers, body, resultId } = await signed()
    for (const { send } of doors) assert.equal((await send(receiver, { headers, pieces: [body] })).status, 200)
    await receiver.idle()
    await receiver.resume()
    assert.deepEqual(new Set(printed.splice(0)), new Set([`onError failed with TypeError for ${resultId}.`]))
  }
})

test('an onError that never returns keeps no other event from being processed', async () => {
  const [first, second] = [await signed(), await signed()]
  const seen = createMemoryStore()
  for (const { event } of [first, second]) {
    await seen.add(event)
    await seen.failed(event.resultId)
  }
  const failed: (string | null)[] = []
  const { receiver } = start({
    seen: {
      ...seen,
      unfinished: async function* () {
        yield first.event
        yield second.event
      },
    },
    onResult() {
      throw new Error('no')
    },
    onError(_error, resultId) {
      failed.push(resultId)
      return new Promise(() => {})
    },
  })
  await receiver.resume()
  await receiver.idle()
  assert.deepEqual(failed, [first.resultId, second.resultId])
})

test('an error of the store goes to onError, and resume does not reject', async () => {
  const broken = {
    ...createMemoryStore(),
    failed: () => Promise.reject(new Error('disk full')),
    unfinished(): AsyncIterable<never> {
      throw new Error('no such folder')
    },
  }
  const away = new Error('database away')
  const { receiver, errors } = start({ seen: broken, onResult: () => Promise.reject(away) })
  const { headers, body, resultId } = await signed()
  await receiver.handle(toRequest({ headers, body }))
  await receiver.idle()
  await receiver.resume()
  assert.deepEqual(errors, [
    [new Error('disk full'), resultId],
    [away, resultId],
    [new Error('no such folder'), null],
  ])
})

test('idle waits for the events that resume processes', async () => {
  const { event, resultId } = await signed()
  const seen = createMemoryStore()
  await seen.add(event)
  await seen.failed(resultId)
  const work = Promise.withResolvers<void>()
  const { receiver } = start({ seen, onResult: () => work.promise })
  const resumed = receiver.resume()
  let isIdle = false
  const idle = receiver.idle().then(() => {
    isIdle = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(isIdle, false)
  work.resolve()
  await Promise.all([resumed, idle])
})

test('a platform that stops after the response is given the pending work', async () => {
  const { receiver, processed } = start()
  const { headers, body, resultId } = await signed()
  const pending: Promise<unknown>[] = []
  await receiver.handle(toRequest({ headers, body }), { waitUntil: (work) => pending.push(work) })
  await Promise.all(pending)
  assert.deepEqual(processed, [resultId])
})

test('a body that was already read is reported as a setup error', async () => {
  const { receiver, errors } = start()
  const { headers, body } = await signed()
  const request = toRequest({ headers, body })
  await request.json()
  const response = await receiver.handle(request)
  assert.equal(response.status, 500)
  assert.match(await response.text(), /before any body parser/)
  assert.equal(errors.length, 1)
})

test('over a real connection: a raw body saved by a parser works like the stream, a parsed one is an error', async () => {
  const { receiver, processed } = start()
  const { headers, body, resultId } = await signed()
  const server = await listen(async (request, response) => {
    const read = Buffer.concat(await request.toArray())
    const left = request.url === '/raw' ? read : JSON.parse(read.toString())
    await receiver.node(Object.assign(request, { body: left }), response)
  })
  const post = (path: string) => fetch(server.url + path, { method: 'POST', headers, body: new Uint8Array(body) })
  assert.equal((await post('/parsed')).status, 500)
  assert.equal((await post('/raw')).status, 200)
  await receiver.idle()
  assert.deepEqual(processed, [resultId])
  await server.close()
})

test('over a real connection: an oversized body gets a response, and a truncated one does no harm', async () => {
  const { receiver } = start()
  const server = await listen(receiver.node)
  const tooLarge = await fetch(server.url, { method: 'POST', body: new Uint8Array(4_000_000) })
  assert.equal(tooLarge.status, 413)

  const controller = new AbortController()
  const endless = new ReadableStream({
    pull(stream) {
      stream.enqueue(new Uint8Array(1000))
      controller.abort()
    },
  })
  const broken = fetch(server.url, { method: 'POST', body: endless, duplex: 'half', signal: controller.signal })
  await assert.rejects(broken)
  const { headers, body } = await signed()
  assert.equal((await fetch(server.url, { method: 'POST', headers, body: new Uint8Array(body) })).status, 200)
  await receiver.idle()
  await server.close()
})

test('no part of an event is ever printed, not even in an error', async (context) => {
  const printed: unknown[] = []
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    context.mock.method(console, method, (...values: unknown[]) => printed.push(...values))
  }
  const receiver = createReceiver({
    secret,
    seen: createMemoryStore(),
    now: () => now,
    onResult: (event) => {
      throw new Error(JSON.stringify(event))
    },
  })
  const { headers, body, event } = await signed()
  await receiver.handle(toRequest({ headers, body }))
  await receiver.idle()
  assert.equal(printed.length, 1)
  for (const secretText of [event.candidate.email, event.thumbnail.dataBase64, secret])
    assert.ok(!String(printed).includes(secretText))
})

test('a receiver with a missing option does not start, and says which', () => {
  assert.throws(() => start({ secret: '' }), /signing secret is missing/)
  // As from JavaScript, or with the types silenced.
  const create: (options: object) => unknown = Function.prototype.call.bind(createReceiver, null)
  const onResult = () => {}
  const seen = createMemoryStore()
  assert.throws(() => create({ onResult, seen }), /signing secret is missing/)
  assert.throws(() => create({ secret, onResult }), /needs a store as `seen`: await openFileStore/)
  assert.throws(() => create({ secret, onResult, seen: Promise.resolve(seen) }), /await openFileStore/)
  assert.throws(() => create({ secret, seen }), /needs onResult/)
})

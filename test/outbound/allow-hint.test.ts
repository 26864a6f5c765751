import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowHint } from '../../server/outbound/allow-hint.ts'
import { createDestinationGuard } from '../../server/outbound/destination.ts'

const signal = new AbortController().signal

async function vet(addresses: string[], allowCidrs: string[] = []) {
  return createDestinationGuard({ resolve: async () => addresses, allowCidrs }).vet(
    'https://hooks.example.com/',
    signal,
  )
}

test('following the hint allows the destination', async () => {
  for (const addresses of [
    ['127.0.0.1'],
    ['10.1.2.3', '192.168.0.9'],
    ['172.16.0.1'],
    ['100.64.1.1'],
    ['::1', 'fd00::1'],
  ]) {
    const hint = allowHint((await vet(addresses)).addresses)
    const ranges = /DESTINATION_ALLOW_CIDRS=(\S+)$/.exec(hint ?? '')?.[1]?.split(',')
    assert.deepEqual(
      ranges,
      addresses.map((address) => `${address}/${address.includes(':') ? 128 : 32}`),
    )
    assert.equal((await vet(addresses, ranges)).ok, true)
  }
})

test('there is no hint for destinations that are public, already allowed, or never allowed', async () => {
  for (const addresses of [
    ['1.1.1.1'],
    ['169.254.169.254'],
    ['10.0.0.7', '169.254.1.1'],
    ['::ffff:10.0.0.7'],
    ['fe80::1'],
    [],
  ]) {
    assert.equal(allowHint((await vet(addresses)).addresses), null)
  }
  assert.equal(allowHint((await vet(['127.0.0.1'], ['127.0.0.0/8'])).addresses), null)
})

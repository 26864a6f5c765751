import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkAddress } from '../../server/outbound/addresses.ts'

// An independent implementation, written from the registries with plain numbers.
const refusedIpv4: [first: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['168.63.129.16', 32],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]

const refusedInGlobalUnicast: [first: bigint, bits: number][] = [
  [0x20010000n << 96n, 23],
  [0x20010db8n << 96n, 32],
  [0x2002n << 112n, 16],
  [0x2620004f8000n << 80n, 48],
  [0x3ffen << 112n, 16],
  [0x3fffn << 112n, 20],
]

const ipv4Number = (text: string) => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
const ipv4Text = (value: number) => [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')

function isPublicIpv4(value: number): boolean {
  return !refusedIpv4.some(([first, bits]) => {
    const size = 2 ** (32 - bits)
    return value >= ipv4Number(first) && value < ipv4Number(first) + size
  })
}

function isPublicIpv6(value: bigint): boolean {
  if (value >> 125n !== 1n) return false
  const marker = (value >> 32n) & 0xffffffffn
  if (marker === 0x00005efen || marker === 0x02005efen) return false
  return !refusedInGlobalUnicast.some(([first, bits]) => value >> BigInt(128 - bits) === first >> BigInt(128 - bits))
}

function ipv6Text(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16))
  return new URL(`https://[${groups.join(':')}]/`).hostname.slice(1, -1)
}

// Most random addresses prove little, so half of the samples are close to where a range starts or ends.
const ipv4 = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  fc
    .tuple(fc.constantFrom(...refusedIpv4), fc.integer({ min: -3, max: 3 }), fc.boolean())
    .map(([[first, bits], step, end]) => (ipv4Number(first) + (end ? 2 ** (32 - bits) : 0) + step + 2 ** 32) % 2 ** 32),
)

const ipv6Edges = [...refusedInGlobalUnicast, [1n << 125n, 3] as [bigint, number]]
const ipv6 = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
  fc.bigInt({ min: 2n ** 125n, max: 2n ** 126n - 1n }),
  fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }).map((low) => (0x26064700n << 96n) | (0x5efen << 32n) | low),
  fc
    .tuple(fc.constantFrom(...ipv6Edges), fc.bigInt({ min: -3n, max: 3n }), fc.boolean())
    .map(([[first, bits], step, end]) => first + (end ? 1n << BigInt(128 - bits) : 0n) + step),
)

test('a random IPv4 address is public exactly if a plain comparison of numbers says so · DST-3', () => {
  const agree = (value: number) => checkAddress(ipv4Text(value), []).allowed === isPublicIpv4(value)
  fc.assert(fc.property(ipv4, agree), { numRuns: 20_000 })
})

test('a random IPv6 address is public exactly if a plain comparison of bits says so · DST-3', () => {
  const agree = (value: bigint) => checkAddress(ipv6Text(value), []).allowed === isPublicIpv6(value)
  fc.assert(fc.property(ipv6, agree), { numRuns: 20_000 })
})

test('an IPv4 address embedded in an IPv6 one is refused, public or not · DST-3', () => {
  const wrappings: ((low: bigint) => bigint)[] = [
    (low) => low,
    (low) => (0xffffn << 32n) | low,
    (low) => (0xffffn << 48n) | low,
    (low) => (0x64ff9bn << 96n) | low,
    (low) => (0x64ff9b0001n << 80n) | low,
    (low) => (0x2002n << 112n) | (low << 80n),
    (low) => (0x20010000n << 96n) | (low ^ 0xffffffffn),
    (low) => (0x2a00n << 112n) | (0x5efen << 32n) | low,
  ]
  const property = fc.property(ipv4, fc.constantFrom(...wrappings), (value, wrap) => {
    return !checkAddress(ipv6Text(wrap(BigInt(value))), []).allowed
  })
  fc.assert(property, { numRuns: 5_000 })
})

test('anything but an address in its plain form is refused, however it could be parsed · DST-3', () => {
  for (const text of [
    '',
    'localhost',
    '1',
    '0x08080808',
    '010.8.8.8',
    '8.8.8',
    '8.8.8.8 ',
    '[::1]',
    '2606:4700::1%1',
  ]) {
    assert.equal(checkAddress(text, []).allowed, false, text)
  }
})

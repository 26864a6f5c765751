import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withFixedMemory } from '../../server/images/wasm-memory.ts'

const preamble = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
const name = [0, 2, 1, 0x78]
const exported = [7, 5, 1, 1, 0x6d, 2, 0]

declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: { m: { buffer: ArrayBuffer; grow(pages: number): number } } }
}

function memoryOf(wasm: Uint8Array) {
  return new WebAssembly.Instance(new WebAssembly.Module(wasm)).exports.m
}

test('a module with a fixed memory has all of it from the start and cannot use more · THU-2', () => {
  const growing = Uint8Array.from([...preamble, ...name, 5, 6, 1, 1, 1, 0x80, 0x80, 2, ...exported])
  assert.equal(memoryOf(growing).grow(100), 1)

  const memory = memoryOf(withFixedMemory(growing, 7))
  assert.equal(memory.buffer.byteLength, 7 * 65_536)
  assert.throws(() => memory.grow(1), RangeError)
})

test('the given module is not changed', () => {
  const module = Uint8Array.from([...preamble, 5, 4, 1, 1, 1, 9, ...exported])
  const before = [...module]
  withFixedMemory(module, 3)
  assert.deepEqual([...module], before)
})

test('a module whose memory cannot be fixed in place is rejected', () => {
  const endless = Uint8Array.from([...preamble, 5, 3, 1, 0, 1])
  const none = Uint8Array.from([...preamble, ...name])
  const narrow = Uint8Array.from([...preamble, 5, 4, 1, 1, 1, 9])
  const cut = Uint8Array.from([...preamble, 5, 4, 1, 1, 0x81])
  assert.throws(() => withFixedMemory(endless, 3), /maximum/)
  assert.throws(() => withFixedMemory(none, 3), /no memory/)
  assert.throws(() => withFixedMemory(narrow, 1024), /room/)
  assert.throws(() => withFixedMemory(cut, 1024), /truncated/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withMemoryLimit } from '../../server/images/wasm-memory.ts'

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

test('a module with limited memory starts with the same memory and can’t exceed the limit · THU-2', () => {
  const endless = Uint8Array.from([...preamble, ...name, 5, 3, 1, 0, 2, ...exported])
  const wide = Uint8Array.from([...preamble, ...name, 5, 6, 1, 1, 2, 0x80, 0x80, 2, ...exported])
  for (const module of [endless, wide]) {
    assert.equal(memoryOf(module).grow(2_000), 2)
    for (const pages of [7, 1024]) {
      const memory = memoryOf(withMemoryLimit(module, pages))
      assert.equal(memory.buffer.byteLength, 2 * 65_536)
      assert.equal(memory.grow(pages - 2), 2)
      assert.throws(() => memory.grow(1), RangeError)
    }
  }
})

test('the input module is not changed', () => {
  const module = Uint8Array.from([...preamble, 5, 4, 1, 1, 1, 9, ...exported])
  const before = [...module]
  withMemoryLimit(module, 3)
  assert.deepEqual([...module], before)
})

test('a module without its own memory is rejected', () => {
  const none = Uint8Array.from([...preamble, ...name])
  const shared = Uint8Array.from([...preamble, 5, 4, 1, 3, 1, 9])
  const cut = Uint8Array.from([...preamble, 5, 4, 1, 1, 0x81])
  assert.throws(() => withMemoryLimit(none, 3), /no memory/)
  assert.throws(() => withMemoryLimit(shared, 3), /one memory/)
  assert.throws(() => withMemoryLimit(cut, 1024), /truncated/)
})

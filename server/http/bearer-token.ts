import { hash, timingSafeEqual } from 'node:crypto'

/** Compares digests, so every wrong token takes the same time regardless of its length. */
export function createTokenCheck(token: string): (authorization: string | undefined) => boolean {
  const expected = digest(token)
  return (authorization = '') => {
    const given = /^bearer +(.*)$/i.exec(authorization)?.[1] ?? ''
    return timingSafeEqual(digest(given), expected)
  }
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

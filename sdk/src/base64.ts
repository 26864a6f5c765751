/** Standard Base64, with padding. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  // In chunks, because a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 32_768) binary += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return btoa(binary)
}

/** The bytes, or null if the text is anything but standard padded Base64. `atob` alone accepts much more. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null
  const binary = atob(text)
  // The last character can carry bits that decode to nothing. One image, one spelling.
  if (btoa(binary.slice(-1 - ((binary.length - 1) % 3))) !== text.slice(-4)) return null
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at)
  return bytes
}

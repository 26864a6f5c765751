import { fromBase64 } from './base64.ts'

const MAXIMUM_BYTES = 1_000_000

/** The image of an event, checked again: strict Base64, within the size limit, starts and ends like a JPEG. */
export function readImage(dataBase64: string): { image: Uint8Array<ArrayBuffer> } | { fault: string } {
  // The length comes first: what is too long is not even decoded.
  if (dataBase64.length > Math.ceil(MAXIMUM_BYTES / 3) * 4)
    return { fault: 'The image is larger than 1,000,000 bytes.' }
  const image = fromBase64(dataBase64)
  if (image === null) return { fault: 'The image is not Base64.' }
  if (image.length > MAXIMUM_BYTES) return { fault: 'The image is larger than 1,000,000 bytes.' }
  if (image[0] !== 0xff || image[1] !== 0xd8 || image[2] !== 0xff)
    return { fault: 'The image does not start like a JPEG.' }
  return endsLikeJpeg(image) ? { image } : { fault: 'The image does not end like a JPEG.' }
}

/** Some encoders pad with zeros after the last marker. */
function endsLikeJpeg(image: Uint8Array): boolean {
  let end = image.length
  while (image[end - 1] === 0) end -= 1
  return end >= 4 && image[end - 2] === 0xff && image[end - 1] === 0xd9
}

const BYTES = Float32Array.BYTES_PER_ELEMENT

/** A vector as it travels: its numbers as 32-bit floats, little-endian, in base64. */
export const vectorToBase64 = (vector: readonly number[]): string => {
  const bytes = Buffer.alloc(vector.length * BYTES)
  for (const [i, value] of vector.entries()) bytes.writeFloatLE(value, i * BYTES)
  return bytes.toString('base64')
}

/** The numbers of a vector in base64. */
export const vectorFromBase64 = (text: string): number[] => {
  const bytes = Buffer.from(text, 'base64')
  return Array.from({ length: Math.floor(bytes.length / BYTES) }, (_, i) => bytes.readFloatLE(i * BYTES))
}

/** An upstream's vector in base64, in whichever form it sent it; null for anything else. */
export function readVector(value: unknown): string | null {
  if (typeof value === 'string') {
    const size = Buffer.byteLength(value, 'base64')
    return size > 0 && size % BYTES === 0 && /^[A-Za-z0-9+/]+=*$/.test(value) ? value : null
  }
  if (!Array.isArray(value) || value.length === 0) return null
  return value.every((each) => Number.isFinite(each)) ? vectorToBase64(value) : null
}

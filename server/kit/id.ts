import { createHash, randomFillSync } from 'node:crypto'

// Random bytes are drawn 256 ids at a time: a draw costs the same for many bytes as for few.
const ENTROPY = Buffer.alloc(4096)
let used = ENTROPY.length

function draw(): Buffer {
  if (used === ENTROPY.length) {
    randomFillSync(ENTROPY)
    used = 0
  }
  used += 16
  return ENTROPY.subarray(used - 16, used)
}

const hex = (bytes: Buffer, from: number, to: number) => bytes.toString('hex', from, to)

/** A UUID version 7 (RFC 9562): sorts by creation time, so indexes on it grow at one end. */
export function uuidv7(now = Date.now()): string {
  const bytes = draw()
  bytes.writeUIntBE(now, 0, 6)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return [hex(bytes, 0, 4), hex(bytes, 4, 6), hex(bytes, 6, 8), hex(bytes, 8, 10), hex(bytes, 10, 16)].join('-')
}

/** A UUID version 8 (RFC 9562) made from what it names: the same parts give the same id. */
export function uuidFrom(...parts: readonly (string | number)[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return [hex(bytes, 0, 4), hex(bytes, 4, 6), hex(bytes, 6, 8), hex(bytes, 8, 10), hex(bytes, 10, 16)].join('-')
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => UUID.test(text)

/** How much structure a JSON text may have, whatever its bytes. */
export type JsonBounds = {
  /** Items of one array. */
  items: number
  /** Keys of one object. */
  keys: number
  /** Texts, keys, arrays and objects of the whole. */
  values: number
}

/** Levels of nesting; code that walks a deeper value would overflow the stack. */
const MAX_DEPTH = 200

/** What was read, with its size; or what is wrong with it, as the end of a sentence. */
export type ReadJson = { kind: 'read'; value: unknown; values: number } | { kind: 'refused'; why: string }

type Measured = { values: number } | { why: string }

const utf8 = new TextDecoder('utf-8', { fatal: true })

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d

/**
 * Walks the bytes of a JSON text once and counts its structure, without making any of its values.
 * Ends where the text exceeds its bounds. Text that is not JSON has some count, too.
 */
export function measureJson(bytes: Uint8Array, { items, keys, values: maxValues }: JsonBounds): Measured {
  const counts = new Uint32Array(MAX_DEPTH + 1)
  const limits = new Float64Array(MAX_DEPTH + 1).fill(items)
  let depth = 0
  let values = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    if (byte === QUOTE) {
      values++
      for (i++; i < bytes.length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++
    } else if (byte === COMMA) {
      const count = (counts[depth] ?? 0) + 1
      const limit = limits[depth] ?? 0
      if (count >= limit) return { why: `has a list or an object of more than ${limit.toLocaleString('en')} items` }
      counts[depth] = count
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      values++
      if (++depth > MAX_DEPTH) return { why: 'is nested too deeply' }
      counts[depth] = 0
      limits[depth] = byte === OPEN_OBJECT ? keys : items
    } else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && depth > 0) depth--
    if (values > maxValues) return { why: `has more than ${maxValues.toLocaleString('en')} values` }
  }
  return { values }
}

/** Parses the bytes of a JSON text that is within its bounds. */
export function readJsonBytes(bytes: Uint8Array, bounds: JsonBounds): ReadJson {
  const measured = measureJson(bytes, bounds)
  if ('why' in measured) return { kind: 'refused', ...measured }
  try {
    return { kind: 'read', value: JSON.parse(utf8.decode(bytes)), ...measured }
  } catch {
    return { kind: 'refused', why: bytes.length === 0 ? 'is empty' : 'is not valid JSON' }
  }
}

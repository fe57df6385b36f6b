import { z } from 'zod'

type Schema = z.core.$ZodType
type Path = (string | number)[]
type Place = { path: Path; schema: Schema }

/** A body as text, named by its place in the schema and by what is wrong there. */
export type HostileBody = { name: string; text: string }

const defOf = (schema: Schema) => schema._zod.def as z.core.$ZodTypes['_zod']['def']

/** What a schema is without what only wraps it. */
function unwrap(schema: Schema): Schema {
  const def = defOf(schema)
  if ('innerType' in def && def.innerType) return unwrap(def.innerType as Schema)
  return def.type === 'pipe' ? unwrap(def.in as Schema) : schema
}

const isRequired = (schema: Schema) => schema._zod.optin === undefined

/** A value that a schema may take: enough for the rest of a body to be looked at. */
export function sampleOf(schema: Schema): unknown {
  const def = defOf(unwrap(schema))
  switch (def.type) {
    case 'string':
      return 'x'
    case 'number':
      return 1
    case 'boolean':
      return true
    case 'literal':
      return def.values[0]
    case 'enum':
      return Object.values(def.entries)[0]
    case 'union':
      return sampleOf(def.options[0] as Schema)
    case 'array':
      return [sampleOf(def.element as Schema)]
    case 'object': {
      const required = Object.entries(def.shape).filter(([, each]) => isRequired(each))
      return Object.fromEntries(required.map(([name, each]) => [name, sampleOf(each)]))
    }
    default:
      return {}
  }
}

/** Levels of a schema whose places are attacked; those below repeat them. */
const MAX_LEVELS = 6

/** Every place of a schema that holds something, from the outside in. */
function placesOf(schema: Schema, path: Path = []): Place[] {
  if (path.length > MAX_LEVELS) return []
  const inner = unwrap(schema)
  const def = defOf(inner)
  const below = (() => {
    if (def.type === 'union') return def.options.flatMap((each) => placesOf(each as Schema, path).slice(1))
    if (def.type === 'array') return placesOf(def.element as Schema, [...path, 0])
    if (def.type === 'record') return placesOf(def.valueType as Schema, [...path, 'key'])
    if (def.type !== 'object') return []
    return Object.entries(def.shape).flatMap(([name, each]) => placesOf(each, [...path, name]))
  })()
  const seen = new Set<string>()
  return [{ path, schema: inner }, ...below].filter(({ path: at }) => {
    const isNew = !seen.has(at.join('.'))
    seen.add(at.join('.'))
    return isNew
  })
}

const HOLE = '@@hostile@@'

/** A copy of a value with the hole at a path, whatever was on the way to it. */
function withHole(value: unknown, [step, ...rest]: Path): unknown {
  if (step === undefined) return HOLE
  if (typeof step === 'number') return [withHole(Array.isArray(value) ? value[0] : undefined, rest)]
  const record = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  return { ...record, [step]: withHole((record as Record<string, unknown>)[step], rest) }
}

const repeat = (text: string, bytes: number) => text.repeat(Math.max(1, Math.floor(bytes / text.length)))
const listOf = (item: string, bytes: number) => `[${repeat(`${item},`, bytes)}${item}]`

/** The longest list of pairs so far, by its value: to make one takes longer than to send it. */
const pairsOf = new Map<string, string>()

function keys(bytes: number, value: string): string {
  let pairs = pairsOf.get(value) ?? ''
  if (pairs.length < bytes) {
    const made: string[] = []
    for (let size = 0, i = 0; size <= bytes; i++) {
      const pair = `"k${i}":${value}`
      made.push(pair)
      size += pair.length + 1
    }
    pairs = made.join(',')
    pairsOf.set(value, pairs)
  }
  return `{${pairs.slice(0, pairs.lastIndexOf(',', bytes))}}`
}

function nested(open: string, close: string, bytes: number): string {
  const levels = Math.floor(bytes / (open.length + close.length))
  return `${open.repeat(levels)}1${close.repeat(levels)}`
}

/**
 * What is tried at every place, with the kinds of schemas that take it; the rest is tried at the
 * top alone, because it is read alike anywhere.
 */
const INNER_FILLS: Record<string, readonly string[]> = {
  'a wide list of empty objects': ['array', 'tuple'],
  'many keys': ['object', 'record'],
  'a long text without spaces': ['string'],
}

/** Kinds that refuse all that they do not take by its type alone; others may look into anything. */
const STRICT = new Set([...Object.values(INNER_FILLS).flat(), 'number', 'boolean', 'literal', 'enum'])

const isRefusedByType = (schema: Schema, what: string): boolean => {
  const def = defOf(schema)
  const isStrict = STRICT.has(def.type) && !('coerce' in def && def.coerce)
  return isStrict && INNER_FILLS[what]?.includes(def.type) === false
}

/** What may be put anywhere: each fills about this many bytes. */
const FILLS: Record<string, (bytes: number) => string> = {
  'a wide list of numbers': (bytes) => listOf('1', bytes),
  'a wide list of nothing': (bytes) => listOf('null', bytes),
  'a wide list of empty objects': (bytes) => listOf('{}', bytes),
  'a wide list of empty lists': (bytes) => listOf('[]', bytes),
  'a wide list of short texts': (bytes) => listOf('"a"', bytes),
  'a list of wide lists': (bytes) => listOf(listOf('{}', 25_000), bytes),
  'deep lists': (bytes) => nested('[', ']', bytes),
  'deep objects': (bytes) => nested('{"a":', '}', bytes),
  'many keys': (bytes) => keys(bytes, '0'),
  'many keys with objects': (bytes) => keys(bytes, '{"a":{}}'),
  'a long text without spaces': (bytes) => `"${repeat('a', bytes)}"`,
  'a long text of words': (bytes) => `"${repeat('word ', bytes)}"`,
  'a long text of escapes': (bytes) => `"${repeat('\\u0001', bytes)}"`,
  'a long text of quotes': (bytes) => `"${repeat('\\"', bytes)}"`,
  'a long text of emoji': (bytes) => `"${repeat('😀', bytes / 2)}"`,
}

/** The longest list that is read at all. */
const LONGEST = 10_000

/** Lists of what a schema takes, and the longest ones that are not refused for their length. */
function fillsOf(schema: Schema): Record<string, (bytes: number) => string> {
  const def = defOf(schema)
  if (def.type !== 'array') return {}
  const item = JSON.stringify(sampleOf(def.element as Schema))
  const longest = (each: string) => (bytes: number) => listOf(each, Math.min(bytes, (LONGEST - 1) * (each.length + 1)))
  return {
    'a wide list of what it takes': (bytes) => listOf(item, bytes),
    'the longest list of what it takes': longest(item),
    'the longest list of numbers': longest('1'),
  }
}

/** What a place takes, alike for places of different operations that take the same. */
const textOf = (schema: Schema) =>
  JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }))

/**
 * Hostile bodies of about `bytes` bytes for an operation: at each place of its schema whatever
 * costs most to read. `valid` is a body that it takes, in which they are put. What a place refuses
 * by its type alone is tried once for all operations of one `seen`.
 */
export function* hostileBodies(
  schema: Schema,
  { valid, bytes, seen, isBrief = false }: { valid: unknown; bytes: number; seen: Set<string>; isBrief?: boolean },
): Generator<HostileBody> {
  for (const { path, schema: at } of placesOf(schema)) {
    const around = JSON.stringify(withHole(valid, path))
    const place = textOf(at)
    const wasSeen = seen.has(place)
    seen.add(place)
    for (const [what, fill] of Object.entries({ ...FILLS, ...fillsOf(at) })) {
      const isInner = path.length > 0
      if ((isInner || isBrief) && what in FILLS && !(what in INNER_FILLS)) continue
      if (isInner && wasSeen && isRefusedByType(at, what)) continue
      yield {
        name: `${what} at ${path.join('.') || 'the top'}`,
        text: around.replace(`"${HOLE}"`, () => fill(bytes - around.length)),
      }
    }
  }
}

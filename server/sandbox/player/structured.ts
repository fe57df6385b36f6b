import { isRecord, type UnknownRecord } from '../../kit/record'
import { sampleOfSchema } from '../script/schema-sample'
import { resultRows } from './calls'
import type { Chapter, ReportBlock } from './chapter'
import type { PlayerView } from './view'

/** What a value of a schema can be filled from. */
type Facts = { rows: UnknownRecord[]; text: string; links: string[]; subject: string }

const LINK = /\]\((https?:\/\/[^\s()]+)\)/g
const plainText = (markdown: string) => markdown.replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1').replaceAll(/[*`]/g, '')

function factsOf({ calls }: PlayerView, chapters: readonly Chapter[], subject: string): Facts {
  const largest = calls.map(resultRows).sort((a, b) => b.length - a.length)[0] ?? []
  const textsIn = (block: ReportBlock) =>
    block.kind === 'text' ? [block.text] : block.kind === 'list' ? block.items : []
  const texts = chapters.flatMap(({ lead, blocks }) => [lead, ...blocks.flatMap(textsIn)])
  const all = chapters.flatMap(({ lead, blocks }) => [lead, JSON.stringify(blocks)]).join('\n')
  return {
    rows: largest,
    text: plainText(texts.filter(Boolean).slice(0, 4).join(' ')) || subject || 'Nothing was found.',
    links: [...new Set([...all.matchAll(LINK)].flatMap(([, url]) => url ?? []))],
    subject,
  }
}

const compact = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/**
 * A field of a row by its name, whatever its spelling, or by what it is usually called; also one
 * inside, as a currency is in the prices of a coin, whose price it stands for.
 */
function fieldOf(row: UnknownRecord, name: string): unknown {
  const wanted = compact(name)
  const same = Object.keys(row).find((key) => compact(key) === wanted)
  const isClose = (key: string) => compact(key).includes(wanted) || wanted.includes(compact(key))
  const close = wanted.length > 3 ? Object.keys(row).find(isClose) : undefined
  const key = same ?? close
  const found = key === undefined ? undefined : row[key]
  if (isRecord(found)) return found.price ?? fieldOf(found, name)
  const inside = found === undefined ? Object.values(row).filter(isRecord) : []
  return found ?? inside.map((value) => fieldOf(value, name)).find((value) => value !== undefined)
}

const typeOf = (schema: UnknownRecord): unknown => (Array.isArray(schema.type) ? schema.type[0] : schema.type)

/** A found value where it has the schema's type; else undefined. */
function fitting(schema: UnknownRecord, found: unknown): unknown {
  const type = typeOf(schema)
  if (schema.enum !== undefined || schema.const !== undefined || schema.pattern !== undefined) return undefined
  if (type === 'string' && typeof found === 'string' && found !== '') {
    const max = typeof schema.maxLength === 'number' ? schema.maxLength : 2_000
    const min = typeof schema.minLength === 'number' ? schema.minLength : 0
    return found.length >= min ? found.slice(0, max) : undefined
  }
  if ((type === 'number' || type === 'integer') && typeof found === 'number') {
    const value = type === 'integer' ? Math.round(found) : found
    const isIn =
      (typeof schema.minimum !== 'number' || value >= schema.minimum) &&
      (typeof schema.maximum !== 'number' || value <= schema.maximum)
    return isIn && schema.exclusiveMinimum === undefined && schema.multipleOf === undefined ? value : undefined
  }
  return type === 'boolean' && typeof found === 'boolean' ? found : undefined
}

/** What a text field of the answer says, by its name. */
function textFor(name: string, { text, links, subject }: Facts): string {
  if (/url|link|source|href/i.test(name)) return links[0] ?? text
  if (/subject|topic|query|^name$|title/i.test(name)) return subject || text
  return text
}

type Given = { name: string; row: UnknownRecord | null; facts: Facts }

function fill(schema: unknown, sample: unknown, { name, row, facts }: Given): unknown {
  if (!isRecord(schema)) return sample
  const { properties, items } = schema
  if (isRecord(properties) && isRecord(sample)) {
    const filled = (key: string, value: unknown) => fill(properties[key], value, { name: key, row, facts })
    return Object.fromEntries(Object.entries(sample).map(([key, value]) => [key, filled(key, value)]))
  }
  if (isRecord(items) && Array.isArray(sample)) {
    const max = Math.min(typeof schema.maxItems === 'number' ? schema.maxItems : 5, 5)
    const min = typeof schema.minItems === 'number' ? schema.minItems : 1
    const [first] = sample
    if (isRecord(items.properties)) {
      const rows = facts.rows.slice(0, max)
      return rows.length >= min ? rows.map((each) => fill(items, first, { name, row: each, facts })) : sample
    }
    const links = facts.links.slice(0, max)
    return /url|link|source/i.test(name) && links.length >= min && typeOf(items) === 'string' ? links : sample
  }
  const found = row ? fieldOf(row, name) : undefined
  const fromRow = fitting(schema, found)
  if (fromRow !== undefined) return fromRow
  if (row === null && typeOf(schema) === 'string' && schema.format === undefined)
    return fitting(schema, textFor(name, facts)) ?? sample
  const counted =
    row === null && /count|total|number/i.test(name) ? facts.rows.length : fieldOf(facts.rows[0] ?? {}, name)
  return fitting(schema, counted) ?? sample
}

type Asked = { subject: string; isPlain: boolean }

/**
 * A value for a schema with what was found: rows for lists of objects, fields by their names, the
 * report for other texts. `isPlain`: a sample that conforms in any case.
 */
export function structuredAnswer(view: PlayerView, chapters: readonly Chapter[], { subject, isPlain }: Asked): string {
  const schema = view.schema ?? {}
  const sample = sampleOfSchema(schema, subject || 'sandbox')
  if (isPlain) return JSON.stringify(sample)
  return JSON.stringify(fill(schema, sample, { name: '', row: null, facts: factsOf(view, chapters, subject) }))
}

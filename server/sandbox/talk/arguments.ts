import { isRecord, type UnknownRecord } from '../../kit/record'
import { contentWords, stripped } from '../prose/topic'
import { sampleOfSchema } from '../script/schema-sample'
import { sumIn } from './sums'

const LEAD_IN =
  /^(?:please|can you|could you|would you|i want to|i need to|use the \S+ tool to|search(?: the web| online)?(?: for)?|look up|find(?: out)?(?: about)?|google|tell me(?: about)?|show me|get(?: me)?|what(?:['’]s| is| are)|who(?:['’]s| is)|how(?:['’]s| is)|\d{1,3} (?:results|pages|articles|posts|videos|sources)(?: about| for| on)?|about)\s+/i

const subjectOf = (asked: string): string => stripped(asked.trim(), [LEAD_IN]).replace(/[\s?!.]*$/, '')

/** Names with a capital letter, such as `New York`, but not the first word of a question. */
const namesIn = (asked: string): string[] => {
  const found = asked.match(/\p{Lu}[\p{L}’'-]{1,40}(?: \p{Lu}[\p{L}’'-]{1,40}){0,3}/gu) ?? []
  return found.filter((name) => !(asked.startsWith(name) && FIRST_WORD.test(name)))
}

const FIRST_WORD =
  /^(?:What|Who|Where|When|How|Is|Are|The|Please|Can|Could|Get|Find|Show|Search|Tell|Use|Add|Set|Make|Give|Convert|Extract|Classify|Summari[sz]e|Return|Call|Look|My|It|This|There|Hello|Hi|Dear|Yes|No|Why|Which|Do|Does|Read|Open|Compare|Write|Draw)$/

const quotedIn = (asked: string): string | undefined => asked.match(/["“`]([^"”`]{1,300})["”`]/)?.[1]

/** What parameters of such names are taken from; the first that fits the name counts. */
const TEXTS: readonly [RegExp, (asked: string) => string | undefined][] = [
  [/ur[il]$|link|href|website/i, (asked) => asked.match(/https?:\/\/[^\s<>"'`)\]]+[^\s<>"'`)\].,?!]/)?.[0]],
  [/e-?mail|recipient/i, (asked) => asked.match(/[\w.+-]{1,60}@[\w-]{1,60}\.[\w.]{2,30}\b/)?.[0]],
  [
    /city|location|place|where|town|country|region|destination|origin|address/i,
    (asked) =>
      asked.match(/\b(?:in|at|for|to|from|near|of) (\p{Lu}[\p{L}’'-]{1,40}(?:,? \p{Lu}[\p{L}’'-]{1,40}){0,3})/u)?.[1] ??
      namesIn(asked)[0],
  ],
  [
    /path|file/i,
    (asked) => quotedIn(asked) ?? asked.match(/(?:^|\s)((?:[\w.-]{0,60}\/){0,8}[\w-]{1,60}\.[a-z]\w{0,5})\b/)?.[1],
  ],
  [
    /command|cmd|shell/i,
    (asked) => asked.match(/`([^`]{1,300})`/)?.[1] ?? asked.match(/^(?:please )?run:? (.{1,200})$/i)?.[1],
  ],
  [/expression|formula|equation|calculation/i, (asked) => sumIn(asked, null) ?? undefined],
  [/date|day|when/i, (asked) => asked.match(/\b\d{4}-\d{2}-\d{2}\b/)?.[0]],
  [/symbol|ticker/i, (asked) => asked.match(/\b[A-Z]{2,6}\b/)?.[0]],
  [/query|question|search|^q$|prompt|topic|keywords?|^term|subject/i, (asked) => quotedIn(asked) ?? subjectOf(asked)],
  [/text|message|content|input|goal|task|description/i, (asked) => quotedIn(asked) ?? asked],
  [/name|title|user|person|coin|id$/i, (asked) => quotedIn(asked) ?? namesIn(asked)[0]],
]

function textFor(name: string, schema: UnknownRecord, asked: string): string | undefined {
  // A pattern of a stranger is not run here: the sample stays.
  if (schema.pattern !== undefined) return undefined
  const found = TEXTS.find(([fits]) => fits.test(name))?.[1](asked)
  const { minLength, maxLength } = schema
  if (!found || (typeof minLength === 'number' && found.length < minLength)) return undefined
  return typeof maxLength === 'number' ? found.slice(0, maxLength) : found
}

function numberFor(name: string, { minimum, maximum, type }: UnknownRecord, asked: string): number | undefined {
  const numbers = [...asked.matchAll(/(?<![\w.])-?\d{1,12}(?:\.\d{1,6})?(?!\w)/g)].map(([text]) => Number(text))
  const near = asked
    .toLowerCase()
    .match(new RegExp(`${name.toLowerCase().replaceAll(/\W/g, '')}s?\\s{0,3}(?:of|is|=|:)?\\s{0,3}(\\d{1,12})`))?.[1]
  const found = near === undefined ? (numbers.length === 1 ? numbers[0] : undefined) : Number(near)
  if (found === undefined || (type === 'integer' && !Number.isInteger(found))) return undefined
  const isOutside = (typeof minimum === 'number' && found < minimum) || (typeof maximum === 'number' && found > maximum)
  return isOutside ? undefined : found
}

/** Several texts, as many as are named. */
function textsFor(name: string, { items }: UnknownRecord, asked: string): string[] | undefined {
  if (!isRecord(items) || items.type !== 'string' || items.pattern !== undefined || items.enum !== undefined)
    return undefined
  if (/ur[il]s?$|links?/i.test(name)) return asked.match(/https?:\/\/[^\s<>"'`)\],]+/g) ?? undefined
  if (/coin|symbol|id/i.test(name)) {
    const words = contentWords(subjectOf(asked).replaceAll(/[^\p{L}\p{N}\s-]/gu, ' ')).map((word) => word.toLowerCase())
    const kept = words.filter(
      (word) => !/^(?:price|prices|cost|costs|worth|value|coins?|crypto|current|today)$/.test(word),
    )
    return kept.length > 0 ? kept.slice(0, 3) : undefined
  }
  const names = namesIn(asked)
  return names.length > 0 ? names.slice(0, 3) : [subjectOf(asked)]
}

/** What a question says about one parameter; undefined where it says nothing. */
function valueFor(name: string, schema: unknown, asked: string): unknown {
  if (!isRecord(schema) || 'const' in schema) return undefined
  if (Array.isArray(schema.enum)) {
    const lower = asked.toLowerCase()
    return schema.enum.find(
      (option) => typeof option === 'string' && option !== '' && lower.includes(option.toLowerCase()),
    )
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'string') return textFor(name, schema, asked)
  if (type === 'integer' || type === 'number') return numberFor(name, { ...schema, type }, asked)
  return type === 'array' ? textsFor(name, schema, asked) : undefined
}

/** What a question says about the properties of a schema, by name. */
export function valuesFor(schema: unknown, asked: string): UnknownRecord {
  const properties = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {}
  return Object.fromEntries(
    Object.entries(properties)
      .map(([name, inner]) => [name, valueFor(name, inner, asked)] as const)
      .filter(([, value]) => value !== undefined),
  )
}

/** A value that fits a schema, with what the question says in it. */
export function fillSchema(schema: unknown, asked: string): unknown {
  const sample = sampleOfSchema(schema, asked.slice(0, 60).toWellFormed() || 'sandbox')
  return isRecord(sample) ? { ...sample, ...valuesFor(schema, asked) } : sample
}

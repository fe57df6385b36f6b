import { isRecord, recordsIn, type UnknownRecord } from '../../kit/record'
import { excerpt, parseJson } from '../kit/text'

const MAX_ITEMS = 5
const MAX_TEXT = 600

const firstText = (item: UnknownRecord, names: readonly string[]): string =>
  names.map((name) => item[name]).find((value): value is string => typeof value === 'string' && value !== '') ?? ''

/** `createdAt` as words. */
const inWords = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()

/** The plain values of a record, as a person would list them. */
const values = (item: UnknownRecord): string =>
  Object.entries(item)
    .filter(([, value]) => /number|boolean/.test(typeof value) || (typeof value === 'string' && value.length <= 80))
    .slice(0, 6)
    .map(([name, value]) => `${inWords(name)} ${value}`)
    .join(', ')

/** One thing of a list: its title as a link, and what is said about it. */
function itemLine(item: UnknownRecord): string {
  const title = firstText(item, ['title', 'name', 'label', 'headline', 'id'])
  const url = firstText(item, ['url', 'link', 'href'])
  const about = firstText(item, ['snippet', 'description', 'summary', 'text', 'content'])
  if (title === '') return `- ${values(item) || excerpt(JSON.stringify(item), 120)}`
  const shown = excerpt(title, 120).replaceAll(/[[\]]/g, '')
  return `- ${/^https?:/.test(url) ? `[${shown}](${url})` : shown}${about ? `: ${excerpt(about.replaceAll(/\s+/g, ' '), 160)}` : ''}`
}

/** The longest list of things in a result, in itself or one level below. */
function listIn(value: unknown): UnknownRecord[] {
  const lists = [value, ...(isRecord(value) ? Object.values(value) : [])].map(recordsIn)
  return lists.reduce((longest, list) => (list.length > longest.length ? list : longest), [])
}

function describe(result: string): string {
  const value = parseJson(result) ?? result
  if (isRecord(value) && (value.error !== undefined || value.isError === true)) {
    const { error } = value
    const why = isRecord(error) ? firstText(error, ['message', 'code']) : String(error ?? '')
    return `The tool failed: ${excerpt(why || result, MAX_TEXT)}`
  }
  const items = listIn(value)
  if (items.length > 0) {
    const more = items.length > MAX_ITEMS ? ` Here are the first ${MAX_ITEMS}:` : ''
    return `The tool returned ${items.length === 1 ? 'one result' : `${items.length} results`}.${more}\n\n${items.slice(0, MAX_ITEMS).map(itemLine).join('\n')}`
  }
  if (isRecord(value)) return `The tool says: ${values(value) || excerpt(result, MAX_TEXT)}.`
  const text = typeof value === 'string' ? value.trim() : result
  return text === '' ? 'The tool returned nothing.' : `The tool says: ${excerpt(text, MAX_TEXT)}`
}

/** What tools returned, for the person who asked. */
export const describeResults = (results: readonly string[]): string => results.map(describe).join('\n\n')

import type { SearchEntry } from '@/server/guides/shape'

export type FoundSection = SearchEntry & { excerpt: string }

/** Finds the sections that match some words, best first. */
export type SearchDocs = (words: string) => FoundSection[]

const LIMIT = 8
const EXCERPT = 110

/** The part of a text around the first of some words. */
export function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0)
  const start = Math.max(0, Math.min(...places, text.length) - 30)
  const from = places.length === 0 || start < 30 ? 0 : text.indexOf(' ', start) + 1
  const cut = text.slice(from, from + EXCERPT)
  const isWhole = from + cut.length >= text.length
  return `${from > 0 ? '… ' : ''}${isWhole ? cut : `${cut.slice(0, cut.lastIndexOf(' '))} …`}`
}

/** Loads the sections and the library that searches them: only when somebody is about to search. */
export async function loadSearch(): Promise<SearchDocs> {
  const [{ default: MiniSearch }, answer] = await Promise.all([import('minisearch'), fetch('/docs-search')])
  if (!answer.ok) throw new Error('The search cannot be loaded. Try again.')
  const entries = (await answer.json()) as SearchEntry[]
  const index = new MiniSearch({
    idField: 'url',
    fields: ['heading', 'page', 'text'],
    searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.2, combineWith: 'AND' },
  })
  index.addAll(entries)
  const byUrl = new Map(entries.map((entry) => [entry.url, entry]))
  return (words) =>
    index
      .search(words)
      .slice(0, LIMIT)
      .flatMap(({ id, terms }) => {
        const entry = byUrl.get(String(id))
        return entry ? [{ ...entry, excerpt: excerptOf(entry.text, terms) }] : []
      })
}

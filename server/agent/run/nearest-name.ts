/** Names that are less like the wanted one than this are no help. */
const MIN_LIKENESS = 0.34
/** One that is more like it than this is the one that was meant. */
const SURE = 0.75
const MAX_NAMES = 3

/** What models often call what tools here do: a part of a name, and the tools that do it. */
const OTHER_WORDS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/python|code|exec|interpreter|terminal|bash|shell/, ['pod_run', 'dataset_query']],
  [/brows|open|fetch|visit|crawl|url|page|http/, ['web_read_url']],
  [/google|bing|duckduckgo|internet|^search$|news/, ['web_search']],
  [/plot|chart|draw|dall/, ['image_generate']],
  [/reddit/, ['forum_search']],
  [/twitter|tweet/, ['microblog_search']],
  [/youtube/, ['videosite_search']],
  [/hotel|flat|apartment|house|estate/, ['property_suggestions']],
  [/scrap/, ['marketplace_search_actors', 'web_read_url']],
]

const pairsOf = (text: string): string[] => {
  const padded = ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `
  return Array.from({ length: Math.max(0, padded.length - 1) }, (_, i) => padded.slice(i, i + 2))
}

/** How alike two names are, from 0 to 1: the share of their pairs of letters that are the same. */
function likeness(a: string, b: string): number {
  const [first, second] = [pairsOf(a), pairsOf(b)]
  const left = [...second]
  const same = first.filter((pair) => {
    const at = left.indexOf(pair)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
  return (2 * same.length) / Math.max(1, first.length + second.length)
}

/** The name that was surely meant by this one: the same, or one that is nearly so; null: none. */
export function sureName(wanted: string, names: readonly string[]): string | null {
  if (names.includes(wanted)) return wanted
  const [best] = nearestNames(wanted, names)
  return best !== undefined && likeness(wanted.slice(0, 100), best) >= SURE ? best : null
}

/** The names that somebody may have meant by one that does not exist: the likeliest first. */
export function nearestNames(wanted: string, names: readonly string[]): string[] {
  const name = wanted.slice(0, 100).toLowerCase()
  const alike = names
    .map((each) => ({ each, like: likeness(name, each) }))
    .filter(({ like }) => like >= MIN_LIKENESS)
    .sort((a, b) => b.like - a.like)
    .map(({ each }) => each)
  const meant = OTHER_WORDS.flatMap(([pattern, tools]) => (pattern.test(name) ? tools : []))
  const known = meant.filter((each) => names.includes(each))
  const isSure = alike[0] !== undefined && likeness(name, alike[0]) >= SURE
  return [...new Set([...alike.slice(0, 1), ...known, ...alike])].slice(0, isSure ? 1 : MAX_NAMES)
}

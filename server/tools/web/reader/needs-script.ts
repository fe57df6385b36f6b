const SCRIPT = /<script(?=[\s>])[^>]{0,500}>/gi
const NOT_CODE = /type\s*=\s*["']?(?:application\/(?:ld\+)?json|text\/(?:template|x-)|importmap|speculationrules)/i
/** The element that a script fills, still empty, or with no more than a spinner's text. */
const EMPTY_MOUNT =
  /<(?:div|main|section|app-root|[a-z]+-app)(?=[\s>])[^>]{0,200}(?:id|class)=["']?(?:root|app|__next|__nuxt|___gatsby|svelte|application|react-root|app-root|mount|container|main|content)["'\s>][^<]{0,80}<\/|<(?:app-root|[a-z]+-(?:app|root))[^>]{0,200}>[^<]{0,80}<\//i
const ASKS_FOR_SCRIPT = /<noscript[^>]{0,200}>[^<]{0,100}(?:<[^>]{0,100}>[^<]{0,200}){0,3}?java\s?script/i

/** Below this a page with scripts has nothing to say without them. */
const NEXT_TO_NOTHING = 25
/** Below this a page may be a frame whose content comes by script: it has to look like one. */
const LITTLE = 150
/** Characters. A page that hides its scripts behind more is long enough. */
const LOOKED_AT = 300_000

/** Whether a page whose content has so few words is written by its scripts. */
export function needsScript(html: string, words: number): boolean {
  if (words >= LITTLE) return false
  const start = html.slice(0, LOOKED_AT)
  const scripts = (start.match(SCRIPT) ?? []).filter((tag) => !NOT_CODE.test(tag))
  if (scripts.length === 0) return false
  return words < NEXT_TO_NOTHING || EMPTY_MOUNT.test(start) || ASKS_FOR_SCRIPT.test(start)
}

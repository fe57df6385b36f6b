import { memoize } from '../../../kit/memoize'
import type { AgentRun, RunStep } from '../state'
import { resultOf, toolNamed } from './origins'
import { hrefOf, personTextsOf, urlsIn } from './person-texts'

/**
 * How much the choice among the links of a page may give its host in one conversation, in bits: one
 * of 256 links is 8. It is enough to read on for a few pages and less than a password has.
 */
const MAX_BITS_PER_HOST = 32

const hostOf = (url: string): string => new URL(url).host

/** URLs that a step returned: of a search index, or those of a page on its own host. */
const offeredBy = memoize((step: RunStep): { anyHost: ReadonlySet<string>; ownHost: ReadonlySet<string> } => {
  const none: ReadonlySet<string> = new Set()
  const result = resultOf(step)
  const offered = result === null ? undefined : toolNamed(step.name)?.flow.offers?.(result)
  if (!offered) return { anyHost: none, ownHost: none }
  const urls = urlsIn(offered.texts)
  const page = offered.page === undefined ? null : hrefOf(offered.page)
  if (page === null) return { anyHost: urls, ownHost: none }
  return { anyHost: none, ownHost: new Set([...urls].filter((url) => hostOf(url) === hostOf(page))) }
})

/** A URL that a call opens, by the index of the call. */
export type OpenedUrl = { index: number; url: string }

/**
 * Whether opening a URL as it is gives nothing away: it is verbatim what a person wrote or what a
 * search index returned before the step `upTo`, or a link of an opened page on its own host. The
 * choice among such links can spell out anything, so that it is limited: `before` are the URLs that
 * earlier calls opened since the run knew something to give away.
 */
export function carriesNothing(
  run: AgentRun,
  given: string,
  { upTo, before }: { upTo: number; before: readonly OpenedUrl[] },
): boolean {
  const url = hrefOf(given)
  if (url === null) return false
  if (urlsIn(personTextsOf(run)).has(url)) return true
  const offered = run.steps.filter(({ kind, index }) => kind === 'tool' && index <= upTo).map(offeredBy)
  if (offered.some(({ anyHost }) => anyHost.has(url))) return true
  const links = new Set(offered.flatMap(({ ownHost }) => [...ownHost]).filter((link) => hostOf(link) === hostOf(url)))
  if (!links.has(url)) return false
  const followed = before.filter((other) => links.has(hrefOf(other.url) ?? '')).length
  return (followed + 1) * Math.max(1, Math.log2(links.size)) <= MAX_BITS_PER_HOST
}

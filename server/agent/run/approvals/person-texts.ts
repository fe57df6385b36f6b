import { trimEnd } from '../../../kit/trim-end'
import type { AgentRun } from '../state'

/** What people wrote in a conversation: goals and answers. Never what a tool or a model wrote. */
export function personTextsOf(run: AgentRun): string[] {
  const answers = run.steps.flatMap(({ kind, output }): unknown[] => {
    const answered = output as { answer?: unknown; feedback?: unknown } | null
    return kind === 'question' ? [answered?.answer] : kind === 'plan' ? [answered?.feedback] : []
  })
  return [...run.turns.map(({ goal }) => goal), ...answers].filter((text) => typeof text === 'string')
}

/** Characters that separate a URL from the text around it, also in Markdown. */
const SEPARATORS = /[\s"'`<>()[\]{}|]+/
/** The same without brackets, which are in some addresses. */
const WIDE_SEPARATORS = /[\s"'`<>|]+|\]\(/
const TRAILING = '.,;:!?)]}'

/** A URL in the form of the URL parser, in which URLs are compared; null: it is not one. */
export const hrefOf = (url: string): string | null => URL.parse(url)?.href ?? null

export const withoutFragment = (href: string): string => href.split('#', 1)[0] ?? href

/** Every URL in these texts, with or without its scheme, as `hrefOf` and without its fragment. */
export function urlsIn(texts: readonly string[]): ReadonlySet<string> {
  const words = texts.flatMap((text) => [
    ...text.split(SEPARATORS),
    ...text.replaceAll('\\', '').split(WIDE_SEPARATORS),
  ])
  const candidates = words
    .flatMap((word) => [word, trimEnd(word, TRAILING)])
    .filter((word) => word.includes('.') || word.includes('://'))
    .flatMap((word) => (/^https?:\/\//i.test(word) ? [word] : [`https://${word}`, `http://${word}`]))
  const hrefs = candidates.map(hrefOf).filter((href) => href !== null)
  return new Set(hrefs.flatMap((href) => [href, withoutFragment(href)]))
}

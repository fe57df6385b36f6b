import { trimEnd } from '../../../kit/trim-end'
import type { Outgoing } from '../../../tools/exposure'
import type { AgentRun } from '../state'

/** What people wrote in a conversation: goals and answers. Never what a tool or a model wrote. */
export function userTextsOf(run: AgentRun): string[] {
  const answers = run.steps.flatMap(({ kind, output }): unknown[] => {
    const answered = output as { answer?: unknown; feedback?: unknown } | null
    return kind === 'question' ? [answered?.answer] : kind === 'plan' ? [answered?.feedback] : []
  })
  return [...run.turns.map(({ goal }) => goal), ...answers].filter((text) => typeof text === 'string')
}

/** Characters that separate a URL from the sentence around it. */
const SEPARATORS = /[\s"'`<>()[\]{}|]+/
const TRAILING = '.,;:!?'

const hrefOf = (text: string): string | null => (URL.canParse(text) ? new URL(text).href : null)

/** Every URL in these texts, with or without its scheme, in the form of the URL parser. */
function urlsIn(texts: readonly string[]): ReadonlySet<string> {
  const words = texts.flatMap((text) => text.split(SEPARATORS))
  const candidates = words
    .flatMap((word) => [word, trimEnd(word, TRAILING)])
    .filter((word) => word.includes('.') || word.includes('://'))
    .flatMap((word) => (/^https?:\/\//i.test(word) ? [word] : [`https://${word}`, `http://${word}`]))
  return new Set(candidates.map(hrefOf).filter((href) => href !== null))
}

const withoutSpace = (text: string): string => text.replaceAll(/\s+/g, '')

/**
 * Whether all that a call sends out is verbatim what a person wrote. Each URL must be written out
 * in full: a link on a page does not count, because the choice among many planted links can spell
 * out anything. Every other text must appear in one piece; only white space may differ.
 */
export function isVerbatim({ urls, texts }: Outgoing, userTexts: readonly string[]): boolean {
  const knownUrls = urls.length > 0 ? urlsIn(userTexts) : new Set<string>()
  const known = texts.length > 0 ? userTexts.map(withoutSpace) : []
  return (
    urls.every((url) => knownUrls.has(hrefOf(url) ?? url)) &&
    texts.every((text) => known.some((userText) => userText.includes(withoutSpace(text))))
  )
}

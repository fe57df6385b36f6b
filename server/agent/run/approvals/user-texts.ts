import { trimEnd } from '../../../kit/trim-end'
import type { Outgoing } from '../../../tools/exposure'
import type { AgentRun } from '../state'

/** What a person wrote in a conversation: its goals, and the answers to what was asked. Never what a tool or a model wrote. */
export function userTextsOf(run: AgentRun): string[] {
  const answers = run.steps.flatMap(({ kind, output }): unknown[] => {
    const said = output as { answer?: unknown; feedback?: unknown } | null
    return kind === 'question' ? [said?.answer] : kind === 'plan' ? [said?.feedback] : []
  })
  return [...run.turns.map(({ goal }) => goal), ...answers].filter((text) => typeof text === 'string')
}

/** What may stand around an address in a sentence, and is not part of it. */
const AROUND = /[\s"'`<>()[\]{}|]+/
const AT_END = '.,;:!?'

const hrefOf = (text: string): string | null => (URL.canParse(text) ? new URL(text).href : null)

/** Every address that a person wrote out, with and without its scheme, as the URL parser writes it. */
function addressesIn(texts: readonly string[]): ReadonlySet<string> {
  const words = texts.flatMap((text) => text.split(AROUND))
  const found = words
    .flatMap((word) => [word, trimEnd(word, AT_END)])
    .filter((word) => word.includes('.') || word.includes('://'))
    .flatMap((word) => (/^https?:\/\//i.test(word) ? [word] : [`https://${word}`, `http://${word}`]))
  return new Set(found.map(hrefOf).filter((href) => href !== null))
}

const withoutSpace = (text: string): string => text.replaceAll(/\s+/g, '')

/**
 * Whether all that would go out is verbatim what a person wrote. An address must be written out whole: a link that was
 * found on a page does not do, because which of many planted links is opened can spell out anything. All else must stand
 * there in one piece; only white space may differ.
 */
export function isVerbatim({ urls, texts }: Outgoing, ownWords: readonly string[]): boolean {
  const addresses = urls.length > 0 ? addressesIn(ownWords) : new Set<string>()
  const own = texts.length > 0 ? ownWords.map(withoutSpace) : []
  return (
    urls.every((url) => addresses.has(hrefOf(url) ?? url)) &&
    texts.every((text) => own.some((words) => words.includes(withoutSpace(text))))
  )
}

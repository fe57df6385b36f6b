import tables from './about-tollgate.json'

/** What the chat script knows: an answer, and the words of a question that it fits. */
const ENTRIES = tables.map(({ words, answer }) => ({ answer, words: new RegExp(`\\b(?:${words})\\b`, 'gi') }))

/** Questions about the world use some of these words too: one of these must be there as well. */
const ABOUT_US =
  /\b(?:tollgate|here|this (?:service|gateway|page|product|sandbox)|sandbox|credits?|api|keys?|mcp|idempoten\w+|webhooks?|agents? (?:run|mode)|you (?:charge|offer|have))\b/i

/** What the script knows about the question, if it is about this product. */
export function answerAboutTollgate(asked: string): string | null {
  if (asked.length > 500 || !ABOUT_US.test(asked)) return null
  const scored = ENTRIES.map(({ words, answer }, index) => ({
    answer,
    // The first entry is the most general: the others come before it.
    score: (asked.match(words)?.length ?? 0) - (index === 0 ? 0.5 : 0),
  }))
  const best = scored.reduce((top, one) => (one.score > top.score ? one : top), { answer: '', score: 0 })
  return best.answer || null
}

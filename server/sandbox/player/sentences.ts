import { plainLine } from './chapter'
import { contentWordsOf } from './subject'

const MIN_CHARS = 40
const MAX_CHARS = 320
/** Sentences of a page about itself. */
const META = /^(This (page|overview|guide|article)|These|Here|Readers|We) /

/** The sentences of a Markdown text, without headings, lists of links, tables and code. */
function sentencesIn(markdown: string): string[] {
  return markdown
    .split('\n')
    .filter((line) => !/^\s*(#|\||!|```|\[|[-*] \[)/.test(line))
    .map((line) => line.replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1').replace(/^\s*(?:[-*>]|\d+\.)\s+/, ''))
    .flatMap((line) => line.split(/(?<=[.!?])\s+(?=[\p{Lu}\d"“])/u))
    .map((sentence) => plainLine(sentence, MAX_CHARS + 1))
    .filter((sentence) => sentence.length >= MIN_CHARS && sentence.length <= MAX_CHARS && /[.!”"]$/.test(sentence))
}

/** The sentences of a text that say most about a subject: its words, and numbers. */
export function bestSentences(markdown: string, subject: string, count: number): string[] {
  const words = contentWordsOf(subject).map((word) => word.toLowerCase())
  const scored = [...new Set(sentencesIn(markdown))].map((sentence, at) => {
    const lower = sentence.toLowerCase()
    const hits = words.filter((word) => lower.includes(word)).length
    return { sentence, at, score: hits * 2 - (META.test(sentence) ? 5 : 0) + (/\d/.test(sentence) ? 3 : 0) - at * 0.05 }
  })
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, count)
    .sort((a, b) => a.at - b.at)
    .map(({ sentence }) => sentence)
}

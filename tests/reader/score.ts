import type { SavedPage } from './pages/kit'

/** Letters and digits only, so that mark-up and spaces do not count; links count by their text. */
const comparable = (text: string): string =>
  text
    .replace(/\]\([^)\s]*\)/g, ']')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{Sc}+]+/gu, '')

const shareFound = (texts: string[], where: string): number =>
  texts.length === 0 ? 0 : texts.filter((text) => where.includes(comparable(text))).length / texts.length

/** What a reader returns of a page. */
export type Read = { title?: string | null; author?: string | null; text: string }

export type Score = { recall: number; boilerplate: number }

/** What share of a page's content a reader kept, and what share of its boilerplate. */
export function scoreOf({ must, junk }: SavedPage, read: Read): Score {
  const where = comparable([read.title, read.author, read.text].join('\n'))
  return { recall: shareFound(must, where), boilerplate: shareFound(junk, where) }
}

/**
 * What a page should have kept or dropped, and did not: for the person who looks for the reason.
 */
export function mistakesOf({ must, junk }: SavedPage, read: Read): string[] {
  const where = comparable([read.title, read.author, read.text].join('\n'))
  return [
    ...must.filter((text) => !where.includes(comparable(text))).map((text) => `- ${text}`),
    ...junk.filter((text) => where.includes(comparable(text))).map((text) => `+ ${text}`),
  ]
}

export const mean = (numbers: number[]): number => numbers.reduce((sum, n) => sum + n, 0) / Math.max(1, numbers.length)

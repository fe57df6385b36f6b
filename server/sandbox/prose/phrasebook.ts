import type { Intent, Topic } from './topic'

/** What kind of text a page is. */
export type TextKind =
  | 'guide'
  | 'news'
  | 'history'
  | 'prices'
  | 'comparison'
  | 'study'
  | 'questions'
  | 'opinion'
  | 'review'
  | 'reference'

/** A part of a text, with its heading. */
export type SectionId =
  | 'background'
  | 'numbers'
  | 'experts'
  | 'reasons'
  | 'concerns'
  | 'options'
  | 'costs'
  | 'steps'
  | 'outlook'
  | 'dispute'

/** Sentences with `{slots}`; `slotsOf` has their names. */
export type Phrasebook = {
  /**
   * Each with `{Head}`, so that a title has every word that was searched for. Of each list, one
   * text needs no price, but for those of prices.
   */
  titles: Record<TextKind, readonly string[]>
  leads: Record<TextKind, readonly string[]>
  sections: Record<SectionId, { headings: readonly string[]; texts: readonly string[] }>
  reasons: readonly string[]
  concerns: readonly string[]
  /** Words of tables and of the page around the text. */
  labels: Record<'option' | 'score' | 'since' | 'cost' | 'year' | 'count' | 'by' | 'related', string>
}

/** The kinds of text about a topic, what fits best first. */
export const KINDS_OF: Record<Intent, readonly TextKind[]> = {
  buy: ['comparison', 'prices', 'review', 'guide', 'questions', 'news', 'study'],
  compare: ['comparison', 'review', 'opinion', 'guide', 'questions', 'study', 'reference'],
  howto: ['guide', 'questions', 'reference', 'opinion', 'study', 'history', 'news'],
  news: ['news', 'study', 'opinion', 'reference', 'history', 'questions', 'guide'],
  general: ['reference', 'guide', 'study', 'history', 'news', 'questions', 'opinion'],
}

/** The parts of each kind of text, in order. */
const SECTIONS_OF: Record<TextKind, readonly SectionId[]> = {
  guide: ['background', 'options', 'steps', 'concerns'],
  news: ['numbers', 'experts', 'outlook'],
  history: ['background', 'numbers', 'outlook'],
  prices: ['costs', 'options', 'concerns'],
  comparison: ['options', 'reasons', 'dispute', 'steps'],
  study: ['numbers', 'dispute', 'experts', 'outlook'],
  questions: ['background', 'costs', 'concerns', 'steps'],
  opinion: ['reasons', 'concerns', 'experts'],
  review: ['options', 'costs', 'reasons', 'concerns'],
  reference: ['background', 'numbers', 'options', 'dispute'],
}

/** Only what can be bought or chosen has options, and only what is bought has prices. */
export function hasSection({ intent }: Topic, id: SectionId): boolean {
  if (id === 'costs') return intent === 'buy'
  return id !== 'options' || intent === 'buy' || intent === 'compare'
}

export const sectionsOf = (kind: TextKind, topic: Topic): readonly SectionId[] =>
  SECTIONS_OF[kind].filter((id) => hasSection(topic, id))

import type english from './english.json'
import type { Intent, Topic } from './topic'
import tables from './words.json'

/** What kind of text a page is. */
export type TextKind = keyof typeof tables.sections

/** A part of a text, with its heading. */
export type SectionId = keyof typeof english.sections

/** Sentences with `{slots}`; `slotsOf` has their names. */
export type Phrasebook = {
  /** With `{Head}`, so that every word of a search is there. But for prices, one needs no price. */
  titles: Record<TextKind, readonly string[]>
  leads: Record<TextKind, readonly string[]>
  sections: Record<SectionId, { headings: readonly string[]; texts: readonly string[] }>
  reasons: readonly string[]
  concerns: readonly string[]
  /** Words of tables and of the page around the text. */
  labels: Record<'option' | 'score' | 'since' | 'cost' | 'year' | 'count' | 'by' | 'related', string>
}

/** The kinds of text about a topic, what fits best first. */
export const KINDS_OF = Object.fromEntries(
  Object.entries(tables.kinds).map(([intent, kinds]) => [intent, kinds.split(' ')]),
) as unknown as Record<Intent, readonly TextKind[]>

/** Only what can be bought or chosen has options, and only what is bought has prices. */
export function hasSection({ intent }: Topic, id: SectionId): boolean {
  if (id === 'costs') return intent === 'buy'
  return id !== 'options' || intent === 'buy' || intent === 'compare'
}

/** The parts of a kind of text, in order. */
export const sectionsOf = (kind: TextKind, topic: Topic): readonly SectionId[] =>
  (tables.sections[kind].split(' ') as SectionId[]).filter((id) => hasSection(topic, id))

import { type Draw, drawFrom } from '../kit/seed'
import { fillTemplate } from '../kit/template'
import { sentenceCase } from '../kit/text'
import english from './english.json'
import { factsOf, type TopicFacts } from './facts'
import { hasSection, type SectionId, sectionsOf, type TextKind } from './phrasebook'
import type { Topic } from './topic'
import { ENGLISH_VOICE, formatMoney, localNumber, type Voice } from './voices'
import { headlineCase } from './words'
import tables from './words.json'

/** How one text differs from others about its topic: by its seed, such as the outlet. */
type Wording = { seed: string; voice?: Voice }

function openingOf(topic: Topic, kind: TextKind, { seed, voice = ENGLISH_VOICE }: Wording) {
  const draw = drawFrom(`article ${kind} ${seed} ${topic.key}`)
  const slots = slotsOf(topic, draw, voice)
  const { titles, leads } = voice.book
  const title = pickFilled({ draw, name: 'title', texts: titles[kind], slots })
  return { draw, slots, title, summary: pickFilled({ draw, name: 'lead', texts: leads[kind], slots }) }
}

/** The title, with the topic's words, and the first paragraph of what `articleAbout` returns. */
export function summaryAbout(topic: Topic, kind: TextKind, wording: Wording) {
  const { title, summary } = openingOf(topic, kind, wording)
  return { title, summary }
}

/**
 * A text of a kind about a topic: a title with the topic's words, a first paragraph, and sections.
 * Facts are those of the topic; the seed chooses only the words.
 */
export function articleAbout(topic: Topic, kind: TextKind, wording: Wording) {
  const { draw, slots, title, summary } = openingOf(topic, kind, wording)
  const { sections } = (wording.voice ?? ENGLISH_VOICE).book
  return {
    title,
    summary,
    sections: sectionsOf(kind, topic).map((id) => ({
      id,
      heading: draw.pick(`${id} heading`, sections[id].headings),
      text: pickFilled({ draw, name: `${id} text`, texts: sections[id].texts, slots }),
    })),
  }
}

/**
 * Sentences of plain text about a topic, each true to its facts, of at most as many paragraphs as
 * there are kinds of sections.
 */
export function sentencesAbout(topic: Topic, { seed, count }: { seed: string; count: number }): string[] {
  const draw = drawFrom(`paragraphs ${seed} ${topic.key}`)
  const slots = slotsOf(topic, draw, ENGLISH_VOICE)
  const ids = (Object.keys(english.sections) as SectionId[]).filter((id) => hasSection(topic, id))
  return draw
    .shuffle('sections', ids)
    .slice(0, count)
    .map((id) => pickFilled({ draw, name: `${id} text`, texts: english.sections[id].texts, slots }))
    .flatMap((text) => text.match(/[^.!?]+(?:\.\d[^.!?]*)*[.!?]+[”"]?/g) ?? [text])
    .map((sentence) => sentence.trim())
    .slice(0, count)
}

/** A title with the topic's words. */
export const titleAbout = (topic: Topic, { seed, kind }: { seed: string; kind: TextKind }): string =>
  openingOf(topic, kind, { seed }).title

type Choice = { draw: Draw; name: string; texts: readonly string[]; slots: Slots }

const SLOT = /\{(\w+)\}/g

/** Whether all slots of a text are known. */
export const canFill = (text: string, slots: Slots): boolean =>
  [...text.matchAll(SLOT)].every(([, slot = '']) => slots[slot] !== undefined)

/** One of the texts all of whose slots are known, filled. */
export function pickFilled({ draw, name, texts, slots }: Choice): string {
  const fitting = texts.filter((text) => canFill(text, slots))
  if (fitting.length === 0) throw new Error(`No text of “${name}” fits: ${texts[0]}`)
  return fillSlots(draw.pick(name, fitting), slots)
}

/** A text with its slots filled, those that are unknown with nothing. */
export const fillSlots = (text: string, slots: Slots): string =>
  text.replace(SLOT, (_, slot: string) => slots[slot] ?? '')

export type Slots = Record<string, string | undefined>

/** Everything a sentence about a topic may name, under the names of the data file. */
export function slotsOf(topic: Topic, draw: Draw, voice: Voice): Slots {
  const facts = factsOf(topic)
  const { cost, growth } = facts
  const money = (amount: number | undefined) => (cost && amount !== undefined ? formatMoney(amount, voice) : undefined)
  const marks = landmarksOf(facts)
  const [reason = '', reason2 = '', reason3 = ''] = draw.shuffle('reasons', voice.book.reasons)
  const [concern = '', concern2 = ''] = draw.shuffle('concerns', voice.book.concerns)
  const isEnglish = voice.locale.startsWith('en')
  return fillTemplate<Slots>(tables.slots, {
    topic,
    facts,
    marks,
    reason,
    reason2,
    reason3,
    concern,
    concern2,
    Name: sentenceCase(topic.name),
    Head: isEnglish ? headlineCase(topic.head) : sentenceCase(topic.head),
    year: marks.last.year + 1,
    asked: localNumber(facts.survey.asked, voice),
    doubling: Math.round(Math.log(2) / Math.log(1 + growth / 100)),
    firstCount: localNumber(marks.first.count, voice),
    lastCount: localNumber(marks.last.count, voice),
    score: localNumber(marks.best.score, voice),
    cheapest: cost ? marks.cheapest.name : undefined,
    cheapestCost: money(marks.cheapest.cost),
    low: money(cost?.low),
    typical: money(cost?.typical),
    high: money(cost?.high),
    Reason: sentenceCase(reason),
    ReasonHead: isEnglish ? headlineCase(reason) : reason,
  })
}

function landmarksOf({ yearly, options }: TopicFacts) {
  const [first, last, best, second] = [yearly[0], yearly.at(-1), options[0], options[1]]
  if (!first || !last || !best || !second) throw new Error('A topic has years and options.')
  return { first, last, best, second, cheapest: options.reduce((a, b) => (b.cost < a.cost ? b : a)) }
}

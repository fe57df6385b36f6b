import { type Draw, drawFrom } from '../kit/seed'
import { formatMoney, localNumber } from './amounts'
import { headlineCase, sentenceCase } from './capitals'
import english from './english.json'
import { factsOf, type TopicFacts } from './facts'
import { hasSection, type Phrasebook, type SectionId, sectionsOf, type TextKind } from './phrasebook'
import type { Topic } from './topic'

/** How a text is written: its language and what prices are in. */
export type Voice = { book: Phrasebook; locale: string; currency: string }

export const ENGLISH_VOICE: Voice = { book: english, locale: 'en-GB', currency: 'EUR' }

export type TextSection = { id: SectionId; heading: string; text: string }

/** A text about a topic; `summary` is its first paragraph. */
export type TopicArticle = { title: string; summary: string; sections: TextSection[] }

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
export function summaryAbout(topic: Topic, kind: TextKind, wording: Wording): { title: string; summary: string } {
  const { title, summary } = openingOf(topic, kind, wording)
  return { title, summary }
}

/**
 * A text of a kind about a topic: a title with the topic's words, a first paragraph, and sections.
 * Facts are those of the topic; the seed chooses only the words.
 */
export function articleAbout(topic: Topic, kind: TextKind, wording: Wording): TopicArticle {
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
 * Paragraphs of plain text about a topic, each true to its facts; at most as many as there are
 * kinds of sections.
 */
export function paragraphsAbout(topic: Topic, { seed, count }: { seed: string; count: number }): string[] {
  const draw = drawFrom(`paragraphs ${seed} ${topic.key}`)
  const slots = slotsOf(topic, draw, ENGLISH_VOICE)
  const ids = (Object.keys(english.sections) as SectionId[]).filter((id) => hasSection(topic, id))
  return draw
    .shuffle('sections', ids)
    .slice(0, count)
    .map((id) => pickFilled({ draw, name: `${id} text`, texts: english.sections[id].texts, slots }))
}

/** The same, sentence by sentence. */
export const sentencesAbout = (topic: Topic, { seed, count }: { seed: string; count: number }): string[] =>
  paragraphsAbout(topic, { seed, count })
    .flatMap((text) => text.match(/[^.!?]+(?:\.\d[^.!?]*)*[.!?]+[”"]?/g) ?? [text])
    .map((sentence) => sentence.trim())
    .slice(0, count)

/** A title with the topic's words. */
export const titleAbout = (topic: Topic, { seed, kind }: { seed: string; kind: TextKind }): string =>
  openingOf(topic, kind, { seed }).title

type Choice = { draw: Draw; name: string; texts: readonly string[]; slots: Slots }

/** One of the texts all of whose slots are known, filled. */
export function pickFilled({ draw, name, texts, slots }: Choice): string {
  const fitting = texts.filter((text) => [...text.matchAll(SLOT)].every(([, slot = '']) => slots[slot] !== undefined))
  if (fitting.length === 0) throw new Error(`No text of “${name}” fits: ${texts[0]}`)
  return draw.pick(name, fitting).replace(SLOT, (_, slot: string) => slots[slot] ?? '')
}

const SLOT = /\{(\w+)\}/g

type Slots = Record<string, string | undefined>

/** Everything a sentence about a topic may name. */
export function slotsOf(topic: Topic, draw: Draw, voice: Voice): Slots {
  const facts = factsOf(topic)
  const local = (value: number) => localNumber(value, voice.locale)
  const money = (amount: number | undefined) =>
    facts.cost && amount !== undefined ? formatMoney(amount, voice) : undefined
  const [reason = '', reason2 = '', reason3 = ''] = draw.shuffle('reasons', voice.book.reasons)
  const [concern = '', concern2 = ''] = draw.shuffle('concerns', voice.book.concerns)
  const { first, last, best, second, cheapest } = landmarksOf(facts)
  const isEnglish = voice.locale.startsWith('en')
  return {
    name: topic.name,
    Name: sentenceCase(topic.name),
    Head: isEnglish ? headlineCase(topic.head) : sentenceCase(topic.head),
    since: String(facts.since),
    year: String(last.year + 1),
    body: facts.body,
    expert: facts.expert.name,
    critic: facts.critic.name,
    surveyYear: String(facts.survey.year),
    asked: local(facts.survey.asked),
    interested: String(facts.survey.interested),
    uninterested: String(facts.survey.uninterested),
    undecided: String(facts.survey.undecided),
    growth: String(facts.growth),
    doubling: String(Math.round(Math.log(2) / Math.log(1 + facts.growth / 100))),
    firstYear: String(first.year),
    firstCount: local(first.count),
    lastYear: String(last.year),
    lastCount: local(last.count),
    count: String(facts.options.length),
    best: best.name,
    score: local(best.score),
    bestSince: String(best.since),
    second: second.name,
    cheapest: facts.cost ? cheapest.name : undefined,
    cheapestCost: money(cheapest.cost),
    low: money(facts.cost?.low),
    typical: money(facts.cost?.typical),
    high: money(facts.cost?.high),
    wait: String(facts.disputed.most),
    otherWait: String(facts.disputed.some),
    reason,
    Reason: sentenceCase(reason),
    ReasonHead: isEnglish ? headlineCase(reason) : reason,
    reason2,
    reason3,
    concern,
    concern2,
  }
}

function landmarksOf({ yearly, options }: TopicFacts) {
  const [first, last, best, second] = [yearly[0], yearly.at(-1), options[0], options[1]]
  if (!first || !last || !best || !second) throw new Error('A topic has years and options.')
  return { first, last, best, second, cheapest: options.reduce((a, b) => (b.cost < a.cost ? b : a)) }
}

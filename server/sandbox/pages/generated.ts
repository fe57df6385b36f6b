import { type Draw, drawFrom } from '../kit/seed'
import { formatMoney } from '../prose/amounts'
import { factsOf } from '../prose/facts'
import { outletAt, personOf } from '../prose/names'
import { KINDS_OF } from '../prose/phrasebook'
import { articleAbout, summaryAbout, type TextSection, type Voice } from '../prose/text'
import { type Topic, topicOf } from '../prose/topic'
import { voiceOf } from '../prose/voices'
import { editionOf, type PageAddress } from './address'

export type GeneratedPage = ReturnType<typeof generatedPage>

/** Pages that are no news were written in the months before this day. */
const LAST_DAY = Date.UTC(2026, 10, 1)
const DAY_MS = 86_400_000

/** What an address says of itself; `topic` is that of its text, where it is known. */
function settingOf({ host, kind, text }: PageAddress, topic = topicOf(text)) {
  const seed = `${host} ${text}`
  return { topic, seed, draw: drawFrom(`page ${kind} ${seed}`), voice: voiceOf(editionOf(host)) }
}

/** News are of the last days, most of them of the last week: up to 40 days old. */
const NEWS_DAYS = 40

/**
 * When a page was written: an ISO date and time. News keep their age: whoever asks for what is new
 * finds some on any day.
 */
function publishedAt(kind: PageAddress['kind'], draw: Draw): string {
  const minute = draw.int('minute', 360, 1_200)
  if (kind !== 'news') return at(LAST_DAY - draw.int('age', 12, 290) * DAY_MS, minute)
  const age = Math.floor(draw.int('age', 0, NEWS_DAYS) ** 2 / NEWS_DAYS)
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  return at(today - age * DAY_MS, age === 0 ? 0 : minute)
}

const at = (day: number, minute: number) => new Date(day + minute * 60_000).toISOString()

/** What a search says of a page. `topic` is that of its text. */
export function pageSummary(address: PageAddress, topic?: Topic) {
  const { topic: about, seed, draw, voice } = settingOf(address, topic)
  return { ...summaryAbout(about, address.kind, { seed, voice }), published: publishedAt(address.kind, draw) }
}

/** The page at an address: the same text each time. */
export function generatedPage(address: PageAddress) {
  const { host, kind } = address
  const { topic, seed, draw, voice } = settingOf(address)
  const { title, summary, sections } = articleAbout(topic, kind, { seed, voice })
  return {
    voice,
    title,
    outlet: outletAt(host).name,
    author: personOf(`author ${host} ${draw.int('author', 1, 4)}`).name,
    published: publishedAt(kind, draw),
    summary,
    sections: sections.map((section) => ({ ...section, ...tableOf(topic, section.id, voice) })),
    related: relatedTo(topic, address),
  }
}

/** A table where a section has figures. */
function tableOf(topic: Topic, id: TextSection['id'], voice: Voice): { table?: string[][] } {
  const { options, yearly, cost } = factsOf(topic)
  const { labels } = voice.book
  if (id === 'numbers') {
    return { table: [[labels.year, labels.count], ...yearly.map(({ year, count }) => [`${year}`, `${count}`])] }
  }
  if (id !== 'options') return {}
  const rows = options.map((option) => [
    option.name,
    option.score.toFixed(1),
    `${option.since}`,
    ...(cost ? [formatMoney(option.cost, voice)] : []),
  ])
  return { table: [[labels.option, labels.score, labels.since, ...(cost ? [labels.cost] : [])], ...rows] }
}

/** Other pages of the same outlet about the same subject. */
const relatedTo = (topic: Topic, { host, kind, text }: PageAddress) =>
  KINDS_OF[topic.intent]
    .filter((other) => other !== kind)
    .slice(0, 4)
    .map((other) => ({ host, kind: other, text, title: pageSummary({ host, kind: other, text }, topic).title }))

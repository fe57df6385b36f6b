import { factsOf } from '../prose/facts'
import { outletAt } from '../prose/outlets'
import { personOf } from '../prose/people'
import { KINDS_OF } from '../prose/phrasebook'
import { articleAbout, formatMoney, type TextSection } from '../prose/text'
import { type Topic, topicOf } from '../prose/topic'
import { voiceOf } from '../prose/voices'
import { drawFrom } from '../seed'
import { countryOf, type PageAddress } from './address'

export type GeneratedPage = {
  title: string
  outlet: string
  author: string
  /** ISO date and time. */
  published: string
  summary: string
  sections: (TextSection & { table?: string[][] })[]
  related: (PageAddress & { title: string })[]
}

/** Pages were written in the months before this day, which is fixed as they are. */
const LAST_DAY = Date.UTC(2026, 10, 1)
const DAY_MS = 86_400_000

/** The page at an address: the same text each time. */
export function generatedPage(address: PageAddress): GeneratedPage {
  const { host, kind, text } = address
  const topic = topicOf(text)
  const seed = `${host} ${text}`
  const draw = drawFrom(`page ${kind} ${seed}`)
  const voice = voiceOf(countryOf(host))
  const { title, summary, sections } = articleAbout(topic, kind, { seed, voice })
  const age = kind === 'news' ? draw.int('age', 1, 40) : draw.int('age', 12, 290)
  return {
    title,
    outlet: outletAt(host).name,
    author: personOf(`author ${host} ${draw.int('author', 1, 4)}`).name,
    published: new Date(LAST_DAY - age * DAY_MS + draw.int('minute', 360, 1_200) * 60_000).toISOString(),
    summary,
    sections: sections.map((section) => ({
      ...section,
      ...tableOf(topic, section.id, (amount) => formatMoney(amount, voice)),
    })),
    related: relatedTo(topic, address),
  }
}

/** A table where a section has figures. */
function tableOf(topic: Topic, id: TextSection['id'], money: (amount: number) => string): { table?: string[][] } {
  const { options, yearly, cost } = factsOf(topic)
  if (id === 'numbers') {
    return { table: [['Year', 'Publications'], ...yearly.map(({ year, count }) => [`${year}`, `${count}`])] }
  }
  if (id !== 'options') return {}
  const rows = options.map((option) => [
    option.name,
    option.score.toFixed(1),
    `${option.since}`,
    ...(cost ? [money(option.cost)] : []),
  ])
  return { table: [['Option', 'Rating (of 10)', 'Since', ...(cost ? ['Price'] : [])], ...rows] }
}

/** Other pages of the same outlet about the same subject. */
function relatedTo(topic: Topic, { host, kind, text }: PageAddress): GeneratedPage['related'] {
  const voice = voiceOf(countryOf(host))
  return KINDS_OF[topic.intent]
    .filter((other) => other !== kind)
    .slice(0, 4)
    .map((other) => ({
      host,
      kind: other,
      text,
      title: articleAbout(topic, other, { seed: `${host} ${text}`, voice }).title,
    }))
}

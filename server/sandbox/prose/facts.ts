import { memoize } from '../../kit/memoize'
import { drawFrom } from '../kit/seed'
import { sentenceCase } from '../kit/text'
import { personOf } from './names'
import type { Topic } from './topic'
import { plainWord } from './words'
import tables from './words.json'

/** What is true of a topic in the sandbox: every page, post and video about it says the same. */
export type TopicFacts = ReturnType<typeof deriveFacts>

/** The year that texts are written in: fixed, so that a page stays as it is. */
const SANDBOX_YEAR = 2026

const NAMES = tables.options.split(' ')

/** Usual prices in euros of what people ask prices of. */
const USUAL_COSTS = tables.costs.map(({ words, ...range }) => ({ ...range, words: new RegExp(words) }))
const OTHER_COSTS = { least: 18, most: 420 }

const roundly = (value: number): number => {
  const step = value >= 20_000 ? 500 : value >= 1_000 ? 50 : value >= 100 ? 5 : value >= 20 ? 1 : 0.1
  return Math.round(value / step) * step
}
const cents = (value: number): number => Math.round(value * 100) / 100

/** The facts of a topic, from its content words alone; one page asks for them many times. */
export const factsOf = memoize(deriveFacts)

function deriveFacts(topic: Topic) {
  const draw = drawFrom(`facts ${topic.key}`)
  const interested = draw.int('interested', 31, 68)
  const undecided = draw.int('undecided', 6, 17)
  const growth = draw.int('growth', 2, 19)
  const first = draw.int('count', 120, 940) * draw.int('scale', 1, 12)
  const usual = USUAL_COSTS.find(({ words }) => words.test(plainWord(topic.name)))
  const { least, most } = usual ?? OTHER_COSTS
  const typical = roundly(least + (most - least) * (0.25 + draw.chance('typical') * 0.3))
  const wait = draw.int('wait', 12, 60)
  return {
    since: draw.int('since', 1898, 2012),
    body: draw.pick('body', tables.bodies),
    expert: personOf(`expert ${topic.key}`),
    critic: personOf(`critic ${topic.key}`),
    // A survey: who follows the subject and who does not, in percent that add up to 100.
    survey: {
      year: SANDBOX_YEAR - draw.int('survey', 0, 2),
      asked: draw.int('asked', 9, 64) * 100 + draw.int('more', 0, 99),
      interested,
      undecided,
      uninterested: 100 - interested - undecided,
    },
    // In percent a year, of what is published about it each year.
    growth,
    yearly: [4, 3, 2, 1, 0].map((ago) => ({
      year: SANDBOX_YEAR - 1 - ago,
      count: Math.round(first * (1 + growth / 100) ** (4 - ago) * (1 + (draw.chance(`${ago}`) - 0.5) * 0.02)),
    })),
    // Best first.
    options: optionsOf(topic, { least, most }),
    // What people pay; null where nobody would ask for a price.
    cost:
      usual || topic.intent === 'buy'
        ? { low: cents(least), typical: cents(typical), high: cents(roundly(most)) }
        : null,
    // Something that sources disagree about: most say the first.
    disputed: { most: wait, some: wait + draw.int('more waiting', 4, 20) },
  }
}

function optionsOf(topic: Topic, { least, most }: { least: number; most: number }) {
  const draw = drawFrom(`options ${topic.key}`)
  const names = topic.sides?.map(sentenceCase) ?? draw.shuffle('names', NAMES).slice(0, 4)
  const shares = names.map((_, at) => draw.int(`share ${at}`, 8, 30))
  const sum = shares.reduce((all, share) => all + share, draw.int('others', 10, 30))
  return names
    .map((name, at) => ({
      name,
      since: draw.int(`since ${name}`, 1962, 2021),
      score: draw.int(`score ${name}`, 62, 95) / 10,
      cost: cents(roundly(least + (most - least) * (0.08 + draw.chance(`cost ${name}`) * 0.75))),
      share: Math.round((100 * (shares[at] ?? 0)) / sum),
    }))
    .sort((a, b) => b.score - a.score)
}

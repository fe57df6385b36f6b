import { coinsById } from '../../../server/sandbox/coingecko/coins'
import { PendingCalls } from '../../../server/sandbox/player/ask'
import { calledTimes, lacks, madeCalls, unless } from '../checks'
import type { Goal } from '../goal'
import type { Inquiry } from '../models/inquiry'
import { visibleField } from '../models/visible'
import { ledgerNumber } from '../pages'

const price = (id: string) => coinsById.get(id)?.priceUsd ?? 0

const SENTENCES = 420

/** A long report: sentence by sentence, so that a lost or repeated one shows. */
const report = (topic: string): string =>
  Array.from(
    { length: SENTENCES },
    (_, i) =>
      `[${i + 1}] About ${topic} the ${i + 1}. note of this report says that the work went on as it had been planned before.`,
  ).join('\n\n')

/** A plan in the form that is offered: steps with their tools, or Markdown. */
function presentPlan(ask: Inquiry, tools: readonly string[], promise: string) {
  const priced = tools.map((tool) => ({ title: `Call ${tool}`, tools: [tool], credits: ask.price(tool) }))
  const total = priced.reduce((sum, { credits }) => sum + (credits ?? 0), 0)
  if (ask.offers('present_plan', 'steps'))
    return ask.call('present_plan', {
      summary: promise,
      steps: priced.map((step) => ({ ...step, credits: step.credits ?? 0 })),
    })
  const lines = priced.map(
    ({ title, credits }) => `- ${title}: ${credits === null ? 'price unknown' : `${credits} credits`}`,
  )
  return ask.call('present_plan', { plan: `${promise}\n\n${lines.join('\n')}\n\nTogether: ${total} credits.` })
}

const isApproved = ({ text }: { text: string }) => /"approved":\s*true/.test(text)

export const generalGoals: readonly Goal[] = [
  {
    id: 'publish-site',
    agent: 'general',
    text: () =>
      'Publish a site named rates-today, or with a number after it where that name is taken, whose homepage shows the price of bitcoin in US dollars.',
    maxCredits: 250,
    mishap: (n, move) => (n === 1 && 'calls' in move ? 'cut_call' : null),
    solve: (ask) => {
      const quoted = ask.call('crypto_get_prices', { coinIds: ['bitcoin'] })
      const page = `<!doctype html><title>Rates</title><h1>Bitcoin</h1><p>${visibleField(quoted.text, 'price')} USD</p>`
      for (let n = 1; ; n++) {
        const slug = n === 1 ? 'rates-today' : `rates-today-${n}`
        const site = ask.call('site_publish', { slug, files: [{ path: 'index.html', content: page }] })
        if (!site.failed || n === 5) return `The site is at ${visibleField(site.text, 'url')}`
      }
    },
    check: async (o) => {
      const url = /https?:\/\/\S+/.exec(o.result)?.[0] ?? ''
      const site = url === '' ? null : await o.fetch(url)
      return [
        ...unless(site?.text.includes(String(price('bitcoin'))) === true, 'the site does not show the price'),
        ...calledTimes(o, 'site_publish', { min: 1, max: 1 }),
      ]
    },
  },
  {
    id: 'plan-and-feedback',
    agent: 'research',
    text: ({ pages }) =>
      `Read the web page ${pages}/ledger/3 and report its number. Also search the web for tide mills.`,
    start: { mode: 'interactive' },
    maxCredits: 150,
    person: (asked, nth) =>
      asked.kind === 'plan' && nth === 0
        ? { approved: false, feedback: 'Do not search, only read the page.' }
        : { approved: true },
    solve: (ask) => {
      const url = /https?:\/\/\S+\/ledger\/3/.exec(ask.conversation.goal)?.[0]
      const plan = presentPlan(ask, ['web_read_url', 'web_search'], 'Search the web and read the page.')
      const feedback = visibleField(plan.text, 'feedback')
      if (!isApproved(plan)) presentPlan(ask, ['web_read_url'], `As you asked (“${feedback}”): read the page only.`)
      return `The number is ${/number of this page is (\d+)/.exec(ask.call('web_read_url', { url }).text)?.[1]}.`
    },
    check: (o) => {
      const [first, second] = o.asked.map(({ plan }) => plan ?? '')
      return [
        ...lacks(o, ledgerNumber(3)),
        ...unless(/web_read_url/.test(first ?? '') && /web_search/.test(first ?? ''), 'the plan names no tools'),
        ...unless(
          /\b[\d,]+ to [\d,]+ credits, the model's own steps included/.test(first ?? ''),
          'the plan has no price of the whole run',
        ),
        ...unless(
          /only/.test(second ?? '') && !/web_search/.test(second ?? ''),
          'the second plan does not answer the feedback',
        ),
        ...calledTimes(o, 'web_search', { max: 0 }),
      ]
    },
  },
  {
    id: 'one-question',
    agent: 'crypto',
    text: () => 'What does my favourite crypto coin cost in USD? Ask which one it is.',
    start: { mode: 'interactive' },
    maxCredits: 100,
    person: (asked) => (asked.kind === 'question' ? { approved: true, feedback: 'dogecoin' } : { approved: true }),
    solve: (ask) => {
      const coin = String(
        visibleField(ask.call('ask_user', { question: 'Which coin is your favourite?' }).text, 'answer'),
      )
      presentPlan(ask, ['crypto_get_prices'], `Look up the price of ${coin}.`)
      return `${coin} costs ${visibleField(ask.call('crypto_get_prices', { coinIds: [coin] }).text, 'price')} USD.`
    },
    check: (o) => [
      ...lacks(o, price('dogecoin')),
      ...unless(
        o.asked.some(({ kind }) => kind === 'question'),
        'nothing was asked',
      ),
    ],
  },
  {
    id: 'second-turn',
    agent: 'crypto',
    earlier: {
      text: () => 'Get the prices of the coins bitcoin and monero in USD, and remember them.',
      solve: (ask) =>
        ask
          .rows(ask.call('crypto_get_prices', { coinIds: ['bitcoin', 'monero'] }))
          .map(({ coinId, prices }) => `${coinId}: ${visibleField(JSON.stringify(prices), 'price')} USD`)
          .join('\n'),
    },
    text: () => 'Which of the two coins was dearer, and what was the price? Do not look it up again.',
    maxCredits: 100,
    solve: (ask) => {
      const known = [...ask.conversation.text.matchAll(/(bitcoin|monero): ([\d.]+) USD/g)].map(([, id, cost]) => ({
        id,
        cost: Number(cost),
      }))
      const dearer = known.reduce((a, b) => (b.cost > a.cost ? b : a), { id: 'unknown', cost: 0 })
      return `${dearer.id} at ${dearer.cost} USD.`
    },
    check: (o) => [
      ...lacks(o, Math.max(price('bitcoin'), price('monero'))),
      ...calledTimes(o, 'crypto_get_prices', { max: 1 }),
    ],
  },
  {
    id: 'long-report',
    agent: 'research',
    text: () =>
      `Write a report on toll gates with exactly ${SENTENCES} numbered notes, [1] to [${SENTENCES}]. Call no tool.`,
    maxCredits: 900,
    solve: () => report('toll gates'),
    check: (o) => {
      const numbers = [...o.result.matchAll(/\[(\d+)\] About/g)].map(([, n]) => Number(n))
      return [
        ...unless(
          numbers.length === SENTENCES && numbers.every((n, i) => n === i + 1),
          `it has ${numbers.length} of ${SENTENCES} notes`,
        ),
        ...unless(o.result.trimEnd().endsWith(report('toll gates').slice(-60)), 'it does not end where it should'),
      ]
    },
  },
  {
    id: 'same-call-again',
    agent: 'research',
    text: () => 'Search the web for "sandbox:empty lighthouse keepers" until you find a source.',
    maxCredits: 100,
    ends: ['completed', 'failed'],
    solve: (ask, { checks }) => {
      const made = ask.conversation.calls.filter(({ name }) => name === 'web_search')
      const isWarned = made.some(({ text }) => /same|repeat|identical/i.test(text.replaceAll(/"[^"]*"/g, '')))
      if (made.length >= 12 || (isWarned && checks)) return 'Nothing was found, however often I searched.'
      throw new PendingCalls([{ name: 'web_search', args: { query: 'sandbox:empty lighthouse keepers' } }])
    },
    check: (o) => [
      ...unless(
        madeCalls(o, 'web_search').length <= 5,
        `the same search was made ${madeCalls(o, 'web_search').length} times`,
      ),
      ...unless(o.status === 'completed' || /same|repeat/i.test(o.result), 'the reason is not given'),
    ],
  },
  {
    id: 'filtered-answer',
    isScriptedOnly: true,
    agent: 'crypto',
    text: () => 'What does the coin cardano cost in USD? Explain your answer at length.',
    maxCredits: 100,
    ends: ['failed'],
    mishap: (_n, move) => ('text' in move ? 'filtered' : null),
    solve: (ask) =>
      `The coin cardano costs ${visibleField(ask.call('crypto_get_prices', { coinIds: ['cardano'] }).text, 'price')} USD. And so on.`,
    check: (o) => unless(/filter/i.test(o.result), 'the reason is not given'),
  },
]

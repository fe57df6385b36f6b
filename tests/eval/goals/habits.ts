import { coinsById, quoteCoin } from '../../../server/sandbox/coingecko/coins'
import { PendingCalls, type WantedCall } from '../../../server/sandbox/player/ask'
import type { ShownCall } from '../../../server/sandbox/player/calls'
import { lacks, unless } from '../checks'
import type { Goal, Outcome } from '../goal'
import type { Inquiry } from '../models/inquiry'
import { visibleField, visibleRows } from '../models/visible'
import { giveDataset, ORDERS } from './datasets'

/** Steps of a run that makes one call and answers, and steps that a habit may cost besides. */
const USUAL_STEPS = 3
const EXTRA_STEPS = 3

const price = (id: string): number => {
  const coin = coinsById.get(id)
  return (coin && quoteCoin(coin, 'usd')?.price) ?? 0
}

/** A call that was made with this name, as the model is shown it. */
const made = (ask: Inquiry, name: string): ShownCall | undefined =>
  ask.conversation.calls.find((call) => call.name === name && call.text !== '')

/** Makes a call as the habit has it, whatever is offered; returns its result. */
function callAnyhow(ask: Inquiry, wanted: WantedCall): ShownCall {
  const shown = made(ask, wanted.name)
  if (!shown) throw new PendingCalls([wanted])
  return shown
}

const pricesOf = (coin: string): WantedCall => ({ name: 'crypto_get_prices', args: { coinIds: [coin] } })
const answerFor = (coin: string, { text }: ShownCall): string => `${coin}: ${visibleField(text, 'price')} USD`
const goalFor = (coin: string) => () => `Report the price of the coin ${coin} in USD.`

const isShort = ({ steps }: Outcome, usual = USUAL_STEPS) =>
  unless(steps.length <= usual + EXTRA_STEPS, `it took ${steps.length} steps`)

/** A goal about the price of a coin, which its model reaches in a way of its own. */
const coinHabit = (id: string, coin: string, solve: Goal['solve']): Goal => ({
  ...{ id, agent: 'crypto', text: goalFor(coin), maxCredits: 100, isHabit: true, solve },
  check: (o) => [...lacks(o, price(coin)), ...isShort(o)],
})

/** A call that a model writes into its text, until it sees the result of it. */
const writtenCall = (id: string, coin: string, write: (call: string) => string): Goal =>
  coinHabit(id, coin, (ask) => {
    const shown = made(ask, 'crypto_get_prices')
    const { name, args } = pricesOf(coin)
    return shown ? answerFor(coin, shown) : write(JSON.stringify({ name, arguments: args }))
  })

/** The name that a refusal suggests, as the model reads it there. */
const meantIn = ({ text }: ShownCall): string | null => /You may mean:? (\w+)/.exec(text)?.[1] ?? null

/**
 * What weak models do, each by a model that reads: it goes on from what the service answers, never
 * from what the test knows.
 */
export const habitGoals: readonly Goal[] = [
  writtenCall('call-in-tags', 'bitcoin', (call) => `<tool_call>\n${call}\n</tool_call>`),
  writtenCall('call-in-fence', 'ethereum', (call) => `I will look it up.\n\n\`\`\`json\n${call}\n\`\`\``),
  coinHabit('announces', 'litecoin', (ask) => {
    const shown = made(ask, 'crypto_get_prices')
    if (shown) return answerFor('litecoin', shown)
    if (/called no function/.test(ask.conversation.text)) throw new PendingCalls([pricesOf('litecoin')])
    return 'Let me search for the current price first.'
  }),
  {
    ...coinHabit('announces-again', 'monero', () => 'I will check the price of that coin now.'),
    ends: ['failed'],
    check: (o) => [
      ...unless(/said what it would do, twice/.test(o.result), `the reason is ${o.result.slice(0, 80)}`),
      ...isShort(o),
    ],
  },
  {
    ...coinHabit('broken-arguments', 'cardano', (ask) => {
      const shown = ask.conversation.calls.find(({ name, text }) => name === 'crypto_get_prices' && text !== '')
      if (!shown) throw new PendingCalls([pricesOf('cardano')])
      const isBroken = /not valid JSON.*at character \d+/.test(shown.text) && shown.text.includes('⟪here⟫')
      if (shown.failed && !isBroken) return 'My call failed, and I do not know why.'
      return answerFor('cardano', ask.call('crypto_get_prices', pricesOf('cardano').args))
    }),
    mishap: (n) => (n === 0 ? 'broken_arguments' : null),
  },
  coinHabit('wrong-tool', 'solana', (ask) => {
    const name = meantIn(callAnyhow(ask, { name: 'get_crypto_price', args: { coin: 'solana' } }))
    return name ? answerFor('solana', ask.call(name, pricesOf('solana').args)) : 'There is no such tool.'
  }),
  coinHabit('wrong-parameter', 'dogecoin', (ask) => {
    const refused = callAnyhow(ask, { name: 'crypto_get_prices', args: { coin_ids: ['dogecoin'] } })
    const name = meantIn(refused)
    if (!refused.failed || name === null) return 'The call was refused.'
    const again = ask.conversation.calls.find(({ args }) => name in args)
    if (again) return answerFor('dogecoin', again)
    throw new PendingCalls([{ name: 'crypto_get_prices', args: { [name]: ['dogecoin'] } }])
  }),
  {
    id: 'tool-not-defined',
    agent: 'social',
    text: () => 'Which post is the first one of the community sailing, sorted by hot? Give its title.',
    maxCredits: 100,
    isHabit: true,
    solve: (ask) => {
      const [row] = visibleRows(callAnyhow(ask, { name: 'forum_community', args: { community: 'sailing' } }).text)
      return row ? `The first post is ${row.title}, by ${row.author}.` : 'I could not read it.'
    },
    check: (o) => [...unless(/The first post is \S{3}/.test(o.result), 'the result has no title'), ...isShort(o)],
  },
  {
    id: 'plain-plan',
    agent: 'crypto',
    text: goalFor('polkadot'),
    start: { mode: 'interactive' },
    maxCredits: 100,
    isHabit: true,
    solve: (ask) => {
      const steps = ['Call crypto_get_prices', 'Write the answer']
      const plan = callAnyhow(ask, { name: 'present_plan', args: { summary: 'Look up the price.', steps } })
      if (plan.failed) return 'My plan was not shown.'
      return answerFor('polkadot', callAnyhow(ask, pricesOf('polkadot')))
    },
    check: (o) => [
      ...lacks(o, price('polkadot')),
      ...unless(o.asked.length === 1, `${o.asked.length} plans were shown`),
      ...isShort(o, USUAL_STEPS + 2),
    ],
  },
  {
    id: 'dependent-calls',
    agent: 'data',
    text: () => 'Keep the numbers 4, 8 and 15 as the dataset lost_numbers, and add them up with SQL.',
    maxCredits: 100,
    isHabit: true,
    solve: (ask) => {
      const rows = [4, 8, 15].map((n) => ({ n }))
      const calls = [
        { name: 'dataset_create', args: { name: 'lost_numbers', rows } },
        { name: 'dataset_query', args: { sql: 'SELECT sum(n) AS total FROM lost_numbers' } },
      ]
      const [, sum] = calls.map(({ name }) => made(ask, name))
      if (!sum) throw new PendingCalls(calls)
      return sum.failed ? 'The query failed.' : `Together ${visibleField(sum.text, 'total')}.`
    },
    check: (o) => [...lacks(o, 27), ...isShort(o, USUAL_STEPS + 1)],
  },
  {
    id: 'python-in-shell',
    agent: 'data',
    text: () => 'With Python in the shell: add up the numbers from 1 to 100.',
    maxCredits: 100,
    isHabit: true,
    solve: (ask) => {
      const shown = callAnyhow(ask, { name: 'pod_run', args: { command: 'python3 -c "print(sum(range(101)))"' } })
      return `The sum is ${/\b5050\b/.exec(shown.text)?.[0]}.`
    },
    check: (o) => [...lacks(o, 5_050), ...isShort(o)],
  },
  {
    id: 'repeats-rows',
    agent: 'social',
    isSmallContext: true,
    text: () => 'Search the forum for knots, for sails and for tides at once: give the first title of each.',
    maxCredits: 200,
    isHabit: true,
    solve: (ask) => {
      const words = ['knots', 'sails', 'tides']
      const shown = ask.all(words.map((query) => ({ name: 'forum_search', args: { query } })))
      return shown.map(({ text }, i) => `- ${words[i]}: “${visibleRows(text)[0]?.title ?? ''}”`).join('\n')
    },
    check: (o) => [
      ...unless((o.result.match(/“[^”]{5,}”/g) ?? []).length === 3, `a title is empty: ${o.result}`),
      ...isShort(o, USUAL_STEPS + 2),
    ],
  },
  {
    id: 'repeats-at-the-end',
    agent: 'data',
    text: () => 'Go through my dataset orders in parts of 100 rows, and give the note of the first order of each part.',
    key: { agentRunBudgetCredits: 130 },
    maxCredits: 135,
    isHabit: true,
    prepare: (owner) => giveDataset(owner, 'orders', ORDERS),
    solve: (ask) =>
      [0, 1, 2, 3, 4, 5, 6, 7, 8]
        .map((n) => ask.call('dataset_query', { sql: `SELECT * FROM orders ORDER BY id LIMIT 100 OFFSET ${n * 100}` }))
        .map(({ text }) => `- ${visibleRows(text)[0]?.note}`)
        .join('\n'),
    check: (o) => [
      ...unless(/Order 1 was packed by hand/.test(o.result), `the result has no row: ${o.result.slice(0, 200)}`),
    ],
  },
]

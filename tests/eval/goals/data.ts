import { findDataset } from '../../../server/agent-tools/data/store'
import type { ShownCall } from '../../../server/sandbox/player/calls'
import { calledTimes, lacks, madeCalls, unless } from '../checks'
import type { Goal } from '../goal'
import { visibleField, visibleRows } from '../models/visible'
import { CUSTOMERS, giveDataset, ORDERS } from './datasets'

const CSV = `region,amount
north,120
south,80
north,45
east,300
west,15
south,95
east,40
north,60
west,210
south,5
east,75
north,33`

const sumBy = (region: string) =>
  ORDERS.filter((order) => order.region === region).reduce((sum, { amount }) => sum + amount, 0)
const sumIn = (country: string) => {
  const names = new Set(CUSTOMERS.filter((each) => each.country === country).map(({ customer }) => customer))
  return ORDERS.filter(({ customer }) => names.has(customer)).reduce((sum, { amount }) => sum + amount, 0)
}

/** Prices of the items that the sandbox's actor finds. */
const ITEMS = Array.from({ length: 120 }, (_, i) => (i % 7 === 6 ? null : 10 + i))

export const dataGoals: readonly Goal[] = [
  {
    id: 'scrape-to-sql',
    agent: 'data',
    text: () =>
      'Scrape with the actor tide/places and the query lighthouses, 120 items, store the rows as the dataset lighthouses, and give with SQL the number of rows and the average price.',
    maxCredits: 2_500,
    solve: (ask) => {
      const run = ask.call('marketplace_run_actor', {
        actorId: 'tide/places',
        input: { query: 'lighthouses' },
        maxItems: 120,
      })
      if (ask.offers('dataset_create', 'fromStep') && ask.stepOf(run) !== null)
        ask.call('dataset_create', { name: 'lighthouses', fromStep: ask.stepOf(run), path: 'rows' })
      else ask.call('dataset_create', { name: 'lighthouses', rows: ask.rows(run) })
      const { text } = ask.call('dataset_query', {
        sql: 'SELECT count(*) AS n, avg(price) AS average FROM lighthouses',
      })
      return `${visibleField(text, 'n')} rows, on average ${Number(visibleField(text, 'average')).toFixed(2)}.`
    },
    check: async (o) => {
      const priced = ITEMS.filter((price) => price !== null)
      const average = (priced.reduce((sum, price) => sum + price, 0) / priced.length).toFixed(2)
      const stored = await findDataset(o.owner.id, 'lighthouses')
      return [
        ...lacks(o, 120, average),
        ...unless(stored?.rowCount === 120, `the dataset has ${stored?.rowCount} rows`),
      ]
    },
  },
  {
    id: 'csv-to-export',
    agent: 'data',
    text: () =>
      `Store this CSV as the dataset sales, give the sum of amount per region with SQL, and export the dataset as CSV with its URL.\n\n${CSV}`,
    maxCredits: 150,
    isStrict: true,
    solve: (ask) => {
      const csv = ask.conversation.goal.split('\n\n')[1]
      ask.call('dataset_create', { name: 'sales', csv })
      const sums = ask.call('dataset_query', {
        sql: 'SELECT region, sum(amount) AS total FROM sales GROUP BY region ORDER BY region',
      })
      const exported = ask.call('dataset_export', { name: 'sales', format: 'csv' })
      const lines = ask.rows(sums).map(({ region, total }) => `| ${region} | ${total} |`)
      return `| region | sum |\n|---|---|\n${lines.join('\n')}\n\nThe file: ${visibleField(exported.text, 'url')}`
    },
    check: async (o) => {
      const url = /https?:\/\/\S+/.exec(o.result)?.[0] ?? ''
      const file = url === '' ? null : await o.fetch(url)
      return [
        ...lacks(o, 258, 180, 415, 225),
        ...unless(file?.text.trim().split('\n').length === 13, 'the file has not 12 rows'),
      ]
    },
  },
  {
    id: 'sum-by-region',
    agent: 'data',
    text: () => 'In my dataset orders: the sum of amount for each region, with SQL, largest first.',
    maxCredits: 120,
    prepare: (owner) => giveDataset(owner, 'orders', ORDERS),
    solve: (ask) => {
      ask.call('dataset_list')
      const sums = ask.call('dataset_query', {
        sql: 'SELECT region, sum(amount) AS total FROM orders GROUP BY region ORDER BY total DESC',
      })
      return ask
        .rows(sums)
        .map(({ region, total }) => `- ${region}: ${total}`)
        .join('\n')
    },
    check: (o) => lacks(o, ...['north', 'south', 'east', 'west'].map(sumBy)),
  },
  {
    id: 'row-by-hand',
    agent: 'data',
    text: () =>
      'List all rows of my dataset orders with a query sorted by id, and give the customer and the amount of the 611th row.',
    maxCredits: 900,
    prepare: (owner) => giveDataset(owner, 'orders', ORDERS),
    solve: (ask, { readsOn }) => {
      const all = ask.call('dataset_query', { sql: 'SELECT * FROM orders ORDER BY id' })
      const seen = (shown: ShownCall) => visibleRows(shown.text).find(({ id }) => Number(id) === 611)
      const sql = 'SELECT * FROM orders ORDER BY id LIMIT 1 OFFSET 610'
      const row = seen(all) ?? (readsOn ? seen(ask.call('dataset_query', { sql })) : undefined)
      return row === undefined ? 'I could not see that row.' : `${row.customer}, amount ${row.amount}`
    },
    check: (o) => lacks(o, ORDERS[610]?.customer ?? '', ORDERS[610]?.amount ?? 0),
  },
  {
    id: 'wrong-column',
    agent: 'data',
    text: () => 'Join my datasets orders and customers with SQL: the sum of amount for customers in the country pt.',
    maxCredits: 150,
    prepare: async (owner) => {
      await giveDataset(owner, 'orders', ORDERS)
      await giveDataset(owner, 'customers', CUSTOMERS)
    },
    solve: (ask) => {
      const guessed = ask.call('dataset_query', {
        sql: "SELECT sum(o.amount) AS total FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.country = 'pt'",
      })
      const { text } = guessed.failed
        ? ask.call('dataset_query', {
            sql: "SELECT sum(o.amount) AS total FROM orders o JOIN customers c USING (customer) WHERE c.country = 'pt'",
          })
        : guessed
      return `The sum is ${visibleField(text, 'total')}.`
    },
    check: (o) => lacks(o, sumIn('pt')),
  },
  {
    id: 'approved-delete',
    agent: 'data',
    text: () => 'Delete my dataset orders for good.',
    maxCredits: 100,
    prepare: (owner) => giveDataset(owner, 'orders', ORDERS),
    solve: (ask) =>
      ask.call('dataset_delete', { name: 'orders' }).text.includes('true') ? 'It is deleted.' : 'It was not deleted.',
    check: async (o) => [
      ...unless(
        o.asked.some(({ kind }) => kind === 'approval'),
        'no approval was asked',
      ),
      ...unless((await findDataset(o.owner.id, 'orders')) === null, 'the dataset is still there'),
    ],
  },
  {
    id: 'rejected-delete',
    agent: 'data',
    text: () => 'Delete my dataset customers for good.',
    maxCredits: 100,
    prepare: (owner) => giveDataset(owner, 'customers', CUSTOMERS),
    person: () => ({ approved: false, feedback: 'Keep it: the books need it.' }),
    solve: (ask) => {
      const shown = ask.call('dataset_delete', { name: 'customers' })
      return shown.failed ? `Nothing was deleted. ${shown.text}` : 'It is deleted.'
    },
    check: async (o) => {
      const rejected = o.steps.find(({ name }) => name === 'dataset_delete')
      return [
        ...lacks(o, 'the books need it'),
        ...unless((await findDataset(o.owner.id, 'customers')) !== null, 'the dataset is gone'),
        ...unless(rejected?.input?.name === 'customers', 'the rejected step lacks its arguments'),
      ]
    },
  },
  {
    id: 'shell-count',
    agent: 'data',
    text: () =>
      'In the shell: write the numbers 1 to 200 to a file, one a line, and count with bash how many contain the digit 7.',
    maxCredits: 100,
    solve: (ask) => {
      ask.call('pod_run', { command: 'seq 1 200 > numbers.txt' })
      const counted = ask.call('pod_run', { command: 'grep -c 7 numbers.txt' })
      return `${String(visibleField(counted.text, 'stdout')).trim()} of 200 numbers contain a 7.`
    },
    check: (o) => [
      ...lacks(o, 38),
      ...unless(madeCalls(o, 'pod_run').length >= 1, 'no command ran'),
      ...calledTimes(o, 'pod_run', { max: 4 }),
    ],
  },
]

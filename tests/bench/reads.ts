import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { makeSessionCookie } from '../../server/accounts/session'
import { listJobs } from '../../server/agent/jobs/list'
import { searchJobs } from '../../server/agent/jobs/search'
import { SearchJobs } from '../../server/agent/jobs/shape'
import { listReceipts } from '../../server/credits/receipts'
import { isSummedUpTo } from '../../server/credits/sum-up'
import { mainPool, prisma } from '../../server/db'
import { env } from '../../server/env'
import { encodeCursor } from '../../server/kit/cursor'
import { listRefusals } from '../../server/request-log/list-refusals'
import { bulkQuery } from '../support/bulk-query'
import { fillHistory } from '../support/history'
import { makeCaller, makeKey } from '../support/owners'
import { fillJobs } from '../support/volume'
import { startGateway } from './measure'
import { benchOptions } from './options'
import { formatTenth, formatTimes, formatWhole, markdownTable, quantile } from './table'

const JOBS = 20_000
const REFUSALS = 100
const DAYS = 90
const LITTLE = 200
const ROUNDS = 40

type Reader = { ownerId: number; keyId: number; key: string; cookie: string; middle: string }

/** Where half of an owner's receipts are older. */
async function middleOf(ownerId: number): Promise<string> {
  const at = new Date(Date.now() - (DAYS / 2) * 86_400_000)
  const [row] = await prisma().receipt.findMany({
    where: { ownerId, at: { lt: at } },
    orderBy: { at: 'desc' },
    take: 1,
  })
  if (!row) throw new Error('There is no receipt in the middle')
  return encodeCursor(row)
}

/**
 * Fills the tables with what is long past, and has it summed from the beginning: sums that were
 * made would be corrected for each receipt that comes late.
 */
async function fillPast(fill: () => Promise<void>): Promise<void> {
  await bulkQuery('ALTER TABLE receipt DISABLE TRIGGER usage_correct_late', [])
  await fill()
  await bulkQuery('ALTER TABLE receipt ENABLE TRIGGER usage_correct_late', [])
  await bulkQuery(
    `DO $$ BEGIN
       UPDATE usage_summed SET until = '-infinity';
       DELETE FROM usage_hour; DELETE FROM usage_customer_hour; DELETE FROM usage_key_day; DELETE FROM usage_key_month;
     END $$`,
    [],
  )
  // Summing finds receipts by index only where it is known how many there are.
  await bulkQuery('ANALYZE', [])
  while (!(await isSummedUpTo(new Date(Date.now() - 600_000)))) await sleep(1_000)
}

/** Someone with keys, some history, runs and refusals, signed in. */
async function makeReader(count: number): Promise<Reader> {
  const { owner, key } = await makeCaller(1_000_000, { agent: true })
  const second = await makeKey(owner)
  const keyIds = [key.id, second.id]
  await fillPast(async () => {
    await fillJobs({ ownerId: owner.id, keyIds, count: Math.min(count, JOBS), days: DAYS })
    // Nobody verifies this ledger, and chaining 10 million rows takes longer than all else.
    await fillHistory({ ownerId: owner.id, keyIds, count, days: DAYS, isChained: false })
  })
  await bulkQuery(
    `INSERT INTO refusal (id, owner_id, key_id, at, status, code, reason, message, operation)
      SELECT gen_random_uuid(), $1, k, now() - n * interval '1 minute', 402, 'insufficient_credits', 'balance', 'No credits.', 'query'
      FROM generate_series(1, $2::int) n, unnest($3::int[]) k`,
    [owner.id, REFUSALS, keyIds],
  )
  await mainPool().query('UPDATE "key" SET rpm = 2000000000 WHERE owner_id = $1', [owner.id])
  const made = await makeSessionCookie(await prisma().owner.findUniqueOrThrow({ where: { id: owner.id } }))
  const middle = await middleOf(owner.id)
  return { ownerId: owner.id, keyId: second.id, key: key.key, cookie: `${made.name}=${made.value}`, middle }
}

const pathsOf = ({ keyId, middle }: Reader): readonly string[] => [
  '/overview',
  '/usage',
  '/api/trpc/overview.get',
  '/api/trpc/usage.names',
  '/api/v1/usage?limit=50',
  `/api/v1/usage?limit=50&cursor=${middle}`,
  '/api/v1/usage?limit=50&what=rare_tool',
  '/api/v1/usage?limit=50&what=nothing',
  '/api/v1/usage?limit=50&status=failed',
  '/api/v1/usage?limit=50&status=ok',
  '/api/v1/usage?limit=50&product=chat',
  `/api/v1/usage?limit=50&keyId=${keyId}`,
  `/api/v1/usage?limit=50&keyId=${keyId}&what=rare_tool&status=failed`,
  '/api/v1/usage/refusals?limit=50',
  '/api/v1/agent/jobs?limit=50',
  '/api/v1/agent/jobs?limit=50&status=failed',
  '/jobs',
]

/** Milliseconds of reads one after another, in their order. */
async function latencies(url: string, { cookie, key }: Reader): Promise<number[]> {
  const headers: Record<string, string> = url.includes('/api/v1/') ? { authorization: `Bearer ${key}` } : { cookie }
  const took: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const began = performance.now()
    const response = await fetch(url, { headers })
    await response.arrayBuffer()
    took.push(performance.now() - began)
    if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  }
  return took.sort((a, b) => a - b)
}

/** What each list reads, called here as a request would. */
const listsOf = ({ ownerId, keyId }: Reader): Record<string, () => Promise<unknown>> => {
  const search = (given: object) => () => searchJobs(ownerId, SearchJobs.parse({ limit: 50, ...given }))
  const receipts = (filter: object) => () => listReceipts(ownerId, { limit: 50, ...filter })
  return {
    'receipts: the newest': receipts({}),
    'receipts: of one key': receipts({ keyId }),
    'receipts: of a rare tool': receipts({ what: 'rare_tool' }),
    'receipts: of a key, a rare tool, failed': receipts({ keyId, what: 'rare_tool', status: 'failed' }),
    'receipts: failed': receipts({ status: 'failed' }),
    'refusals: the newest': () => listRefusals(ownerId, { limit: 50 }),
    'runs, GET /agent/jobs: the newest': () => listJobs(ownerId, { limit: 50 }),
    'runs, GET /agent/jobs: failed': () => listJobs(ownerId, { limit: 50, status: 'failed' }),
    'runs, the page: the newest': search({}),
    'runs, the page: by what they cost': search({ sort: 'credits' }),
    'runs, the page: one word': search({ q: '4999' }),
  }
}

type Sent = { text: string; values: unknown[] }

let sent: Sent[] | null = null

/** Has every connection that is opened from here on note what is read over it. */
function noteStatements(): void {
  const { query } = pg.Client.prototype
  const noted = function (this: pg.Client, ...given: unknown[]): unknown {
    const [asked, values] = given as [string | Partial<Sent>, unknown[] | undefined]
    const { text, values: own } = typeof asked === 'string' ? { text: asked, values } : asked
    if (text && /^\s*(SELECT|WITH)\b/i.test(text)) sent?.push({ text, values: own ?? values ?? [] })
    return Reflect.apply(query, this, given)
  }
  pg.Client.prototype.query = noted as typeof query
}

/** Every statement that is sent while `work` runs. */
async function statementsOf(work: () => Promise<unknown>): Promise<Sent[]> {
  const made: Sent[] = []
  sent = made
  await work()
  sent = null
  if (made.length === 0) throw new Error('No statement was seen')
  return made
}

type Plan = {
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'Node Type': string
  'Relation Name'?: string
  Plans?: Plan[]
}

/** Blocks of 8 KiB that a list reads, and tables that it reads from end to end. */
async function readOf(work: () => Promise<unknown>): Promise<{ blocks: number; whole: string }> {
  const client = new pg.Client({ connectionString: env().DATABASE_URL })
  const statements = await statementsOf(work)
  await client.connect()
  try {
    let blocks = 0
    const whole = new Set<string>()
    const collect = ({ 'Node Type': type, 'Relation Name': table = '', Plans = [] }: Plan) => {
      if (type === 'Seq Scan') whole.add(table)
      for (const each of Plans) collect(each)
    }
    for (const { text, values } of statements) {
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
        values,
      )
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
      if (!plan) throw new Error(`no plan: ${text}`)
      blocks += plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
      collect(plan)
    }
    return { blocks, whole: [...whole].sort().join(', ') || '–' }
  } finally {
    await client.end()
  }
}

/** What each list reads for both owners, as PostgreSQL counts it. */
async function blocksTable(few: Reader, many: Reader, receipts: string): Promise<string> {
  const rows: string[][] = []
  const [ofFew, ofMany] = [listsOf(few), listsOf(many)]
  for (const [name, list] of Object.entries(ofMany)) {
    const [little, much] = [await readOf(ofFew[name] ?? list), await readOf(list)]
    rows.push([name, formatWhole(little.blocks), formatWhole(much.blocks), much.whole])
  }
  return markdownTable(
    ['blocks of 8 KiB read', `${LITTLE} receipts`, `${receipts} receipts`, 'tables read whole'],
    rows,
  )
}

/**
 * What pages and lists take for an owner with little history in a small database, and for one with
 * 2 million receipts (`--receipts N`) and 20,000 runs. Returns Markdown tables.
 */
export async function benchReads(): Promise<string> {
  const count = benchOptions.receipts
  noteStatements()
  const gateway = await startGateway()
  try {
    const little = await makeReader(LITTLE)
    const alone: number[] = []
    for (const path of pathsOf(little)) {
      await latencies(gateway.url + path, little)
      alone.push(quantile(await latencies(gateway.url + path, little), 0.5))
    }
    const much = await makeReader(count)
    await bulkQuery('VACUUM ANALYZE', [])
    const rows: string[][] = []
    for (const [i, path] of pathsOf(much).entries()) {
      const beside = quantile(await latencies(gateway.url + (pathsOf(little)[i] ?? ''), little), 0.5)
      const own = await latencies(gateway.url + path, much)
      const name = path.replace(`keyId=${much.keyId}`, 'keyId=…').replace(much.middle, 'of 45 days ago')
      const p50 = quantile(own, 0.5)
      rows.push([
        name,
        formatTenth(alone[i] ?? Number.NaN),
        formatTenth(beside),
        formatTenth(p50),
        formatTenth(quantile(own, 0.95)),
        formatTimes(p50 / beside),
      ])
    }
    const receipts = formatWhole(count)
    const head = ['one by one, p50 ms', `${LITTLE} receipts`, `${LITTLE}, beside ${receipts}`, `${receipts} receipts`]
    return [
      markdownTable([...head, 'its p95', 'against the few beside'], rows),
      await blocksTable(little, much, receipts),
    ].join('\n\n')
  } finally {
    await gateway.stop()
  }
}

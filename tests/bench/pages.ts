import { setTimeout as sleep } from 'node:timers/promises'
import { makeSessionCookie } from '../../server/accounts/session'
import { isSummedUpTo } from '../../server/credits/sum-up'
import { prisma } from '../../server/db'
import { bulkQuery } from '../support/bulk-query'
import { fillHistory } from '../support/history'
import { makeCaller } from '../support/owners'
import { fillJobs, fillKeys } from '../support/volume'
import { startGateway } from './measure'
import { formatTenth, formatWhole, markdownTable, quantile } from './table'

const RECEIPTS = 2_000_000
const KEYS = 5_000
const JOBS = 100_000
const RECEIPTS_PER_JOB = 2
const DAYS = 90
const ROUNDS = 12
/** Offset by half an hour, so that days begin within the hours that are summed. */
const TIME_ZONE = 'Asia/Kolkata'

/** An operator who is also the largest owner, signed in: every page shows much. */
async function makeLargeOwner() {
  const { owner } = await makeCaller(1_000_000)
  const keyIds = await fillKeys(owner.id, KEYS)
  await fillJobs({ ownerId: owner.id, keyIds, count: JOBS, days: DAYS })
  await fillHistory({ ownerId: owner.id, keyIds, count: RECEIPTS - JOBS * RECEIPTS_PER_JOB, days: DAYS })
  while (!(await isSummedUpTo(new Date(Date.now() - 600_000)))) await sleep(1_000)
  await bulkQuery('VACUUM ANALYZE', [])
  const row = await prisma().owner.update({ where: { id: owner.id }, data: { isAdmin: true, timeZone: TIME_ZONE } })
  const [job] = await prisma().job.findMany({ where: { ownerId: owner.id }, take: 1, orderBy: { createdAt: 'desc' } })
  const [receipt] = await prisma().receipt.findMany({ where: { ownerId: owner.id }, take: 1 })
  const session = await makeSessionCookie(row)
  return {
    ownerId: owner.id,
    keyId: keyIds[3],
    jobId: job?.id,
    receiptId: receipt?.id,
    cookie: `${session.name}=${session.value}`,
  }
}

type LargeOwner = Awaited<ReturnType<typeof makeLargeOwner>>

const pathsOf = ({ keyId, jobId, receiptId, ownerId }: LargeOwner): readonly string[] => [
  '/overview',
  '/overview?by=key',
  '/keys',
  '/keys?q=service+49',
  '/keys?sort=spent',
  `/keys/${keyId}`,
  `/keys/${keyId}/edit`,
  '/keys/new',
  '/jobs',
  '/jobs?q=subject+4999',
  '/jobs?status=failed',
  '/jobs/new',
  `/jobs/${jobId}`,
  '/jobs/schedules',
  '/usage',
  '/usage?range=30d&by=key',
  `/usage?key=${keyId}`,
  '/usage?status=failed',
  `/usage?job=${jobId}`,
  `/usage?receipt=${receiptId}`,
  '/credits',
  '/catalog',
  '/catalog/web_search',
  '/models',
  '/playground',
  '/connect',
  '/settings/account',
  '/settings/audit',
  '/operators',
  '/operators/traffic',
  `/operators/owners/${ownerId}`,
]

/** Milliseconds from request to the end of the page, sorted. */
async function timesOf(url: string, cookie: string): Promise<number[]> {
  const took: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const began = performance.now()
    const response = await fetch(url, { headers: { cookie } })
    await response.arrayBuffer()
    took.push(performance.now() - began)
    if (!response.ok) throw new Error(`${url} returned ${response.status}`)
  }
  return took.sort((a, b) => a - b)
}

/**
 * What each page takes, to its last byte, for an owner with 2 million receipts, 5,000 keys and
 * 100,000 jobs. Returns a Markdown table.
 */
export async function benchPages(): Promise<string> {
  const gateway = await startGateway()
  try {
    const owner = await makeLargeOwner()
    const rows: string[][] = []
    for (const path of pathsOf(owner)) {
      await timesOf(gateway.url + path, owner.cookie)
      const took = await timesOf(gateway.url + path, owner.cookie)
      const name = path.replaceAll(String(owner.jobId), '…').replaceAll(String(owner.receiptId), '…')
      rows.push([name, formatTenth(quantile(took, 0.5)), formatTenth(took.at(-1) ?? Number.NaN)])
    }
    const head = `${formatWhole(RECEIPTS)} receipts, ${formatWhole(KEYS)} keys, ${formatWhole(JOBS)} jobs`
    return markdownTable([head, 'p50 ms', 'slowest ms'], rows)
  } finally {
    await gateway.stop()
  }
}

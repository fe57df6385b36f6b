import { makeSessionCookie } from '../../server/accounts/session'
import { mainPool, prisma } from '../../server/db'
import { fillHistory } from '../support/history'
import { makeCaller, makeKey } from '../support/owners'
import { startGateway } from './measure'
import { formatTenth, formatTimes, formatWhole, markdownTable, quantile } from './table'

const RECEIPTS = 2_000_000
const DAYS = 90
const LITTLE = 200
const ROUNDS = 60

type Reader = { keyId: number; key: string; cookie: string }

/** Someone with keys and some history, signed in. */
async function makeReader(count: number): Promise<Reader> {
  const { owner, key } = await makeCaller(1_000_000)
  const second = await makeKey(owner)
  await fillHistory({ ownerId: owner.id, keyIds: [key.id, second.id], count, days: DAYS })
  await mainPool().query('UPDATE "key" SET rpm = 2000000000 WHERE owner_id = $1', [owner.id])
  const made = await makeSessionCookie(await prisma().owner.findUniqueOrThrow({ where: { id: owner.id } }))
  return { keyId: second.id, key: key.key, cookie: `${made.name}=${made.value}` }
}

const pathsOf = ({ keyId }: Reader): readonly string[] => [
  '/overview',
  '/usage',
  '/api/trpc/overview.get',
  '/api/trpc/usage.names',
  '/api/v1/usage?limit=50',
  '/api/v1/usage?limit=50&what=rare_tool',
  '/api/v1/usage?limit=50&what=nothing',
  '/api/v1/usage?limit=50&status=failed',
  '/api/v1/usage?limit=50&status=ok',
  '/api/v1/usage?limit=50&product=chat',
  `/api/v1/usage?limit=50&keyId=${keyId}`,
  `/api/v1/usage?limit=50&keyId=${keyId}&what=rare_tool&status=failed`,
]

/** Milliseconds of a read, the median of many, one after another. */
async function latency(url: string, { cookie, key }: Reader): Promise<number> {
  const headers: Record<string, string> = url.includes('/api/v1/') ? { authorization: `Bearer ${key}` } : { cookie }
  const took: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const began = performance.now()
    const response = await fetch(url, { headers })
    await response.arrayBuffer()
    took.push(performance.now() - began)
    if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  }
  return quantile(
    took.sort((a, b) => a - b),
    0.5,
  )
}

/**
 * What pages and lists take for an owner with little history in a small database, and for one with
 * 2 million receipts. Answers a Markdown table.
 */
export async function benchReads(): Promise<string> {
  const gateway = await startGateway()
  try {
    const little = await makeReader(LITTLE)
    const alone: number[] = []
    for (const path of pathsOf(little)) {
      await latency(gateway.url + path, little)
      alone.push(await latency(gateway.url + path, little))
    }
    const much = await makeReader(RECEIPTS)
    await mainPool().query('VACUUM ANALYZE receipt')
    await mainPool().query('ANALYZE')
    const rows: string[][] = []
    for (const [i, path] of pathsOf(much).entries()) {
      const beside = await latency(gateway.url + (pathsOf(little)[i] ?? ''), little)
      const own = await latency(gateway.url + path, much)
      const name = path.replace(`keyId=${much.keyId}`, 'keyId=…')
      rows.push([
        name,
        formatTenth(alone[i] ?? Number.NaN),
        formatTenth(beside),
        formatTenth(own),
        formatTimes(own / beside),
      ])
    }
    const head = ['one by one, p50 ms', `${LITTLE} receipts`, `${LITTLE}, beside ${formatWhole(RECEIPTS)}`]
    return markdownTable([...head, `${formatWhole(RECEIPTS)} receipts`, 'against the few beside'], rows)
  } finally {
    await gateway.stop()
  }
}

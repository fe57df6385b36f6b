import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'
import { findFreePort } from '../../server/cli/kit/ports'
import { grantCredits } from '../../server/credits/grant'
import { makeCaller } from '../support/owners'
import { startGateway } from './measure'
import { startOtherProcess } from './other-process'
import { QUERY_BODY } from './query-body'
import { formatTimes, formatWhole, markdownTable } from './table'

const SECONDS = 15
/** Calls of the neighbour, a second: few enough that it waits for nobody but the attacker. */
const RATE = 50
const ATTACKS = {
  numbers: '19 MiB of numbers as messages',
  messages: '19 MiB of messages of a letter',
  nested: '9 Mi lists in each other',
  keys: '60,000 parameters',
  letters: '1 MiB of letters without a space',
}

type Neighbour = { p50: number; p99: number; served: number }

async function measureNeighbour(url: string, key: string): Promise<Neighbour> {
  const { latency, requests, non2xx, errors } = await autocannon({
    url: `${url}/api/v1/query`,
    connections: 8,
    duration: SECONDS,
    overallRate: RATE,
    method: 'POST',
    body: QUERY_BODY,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })
  if (non2xx > 0 || errors > 0) throw new Error(`${non2xx} answers were not 2xx, ${errors} failed`)
  return { p50: latency.p50, p99: latency.p99, served: requests.total }
}

/** The largest memory that a process had so far, MiB. NaN where the machine does not say. */
function peakMiB(pid: number): number {
  try {
    const [, kib = ''] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kib) / 1024
  } catch {
    return Number.NaN
  }
}

/**
 * What one owner's hostile requests do to another's calls: 15 s of each over four connections,
 * against the same time without. Returns a Markdown table.
 */
export async function benchHostile(): Promise<string> {
  const gateway = await startGateway(1)
  const sink = await startSink()
  const attacker = await makeCaller(0, { llm: true, rpm: 100_000 })
  await grantCredits(attacker.owner.id, 1_000_000n)
  try {
    await measureNeighbour(gateway.url, gateway.key)
    const alone = await measureNeighbour(gateway.url, gateway.key)
    const row = (name: string, { p50, p99, served }: Neighbour) => [
      name,
      formatWhole(served),
      formatWhole(p50),
      formatWhole(p99),
      formatTimes(p99 / alone.p99),
      formatWhole(peakMiB(gateway.pid)),
    ]
    const beside = async (name: string, attack: string, target: string) => {
      const process = startOtherProcess(['tests/bench/attacker.mjs', target, attacker.key.key, attack])
      try {
        return row(name, await measureNeighbour(gateway.url, gateway.key))
      } finally {
        process.end()
      }
    }
    const rows = [row('nothing', alone)]
    rows.push(await beside(`${ATTACKS.numbers}, to a process that reads and forgets them`, 'numbers', sink.url))
    for (const [attack, name] of Object.entries(ATTACKS)) rows.push(await beside(name, attack, gateway.url))
    return markdownTable(
      [
        `${SECONDS} s beside another owner's`,
        `calls of ${RATE} a second`,
        'p50 ms',
        'p99 ms',
        'p99 against alone',
        'most memory, MiB',
      ],
      rows,
    )
  } finally {
    sink.end()
    await gateway.stop()
  }
}

/** A process that does nothing with what it gets: what remains is the load of sending it here. */
async function startSink() {
  const port = await findFreePort(3_900)
  const code = `require('node:http').createServer((q, s) => q.resume().on('end', () => s.writeHead(400).end())).listen(${port}, '127.0.0.1')`
  return { url: `http://127.0.0.1:${port}`, ...startOtherProcess(['-e', code]) }
}

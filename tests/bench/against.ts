import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { endProcesses, startChildProcess } from '../../server/cli/children'
import { findFreePort } from '../../server/cli/kit/ports'
import { CliError, PROJECT_ROOT } from '../../server/cli/kit/project'
import { waitUntilServerReady } from '../../server/cli/wait-until-ready'
import { type Checkout, startCheckout } from './checkout'
import { MCP_CALLS } from './mcp'
import { type BenchSubject, formatLoad, LOAD_HEADS, type LoadFigures, measureLoad } from './measure'
import { completionBody, writeMockModels } from './mock-model'
import { benchOptions } from './options'
import { startOtherProcess } from './other-process'
import { QUERY_BODY } from './query-body'
import { formatTimesSpread, markdownTable } from './table'

const SECONDS = 2

type Call = Pick<BenchSubject, 'name' | 'body' | 'headers' | 'connections'> & { path: string }

const CALLS: readonly Call[] = [
  { name: 'billed /query', path: '/api/v1/query', body: QUERY_BODY },
  { name: 'chat completion', path: '/api/v1/chat/completions', body: completionBody(false) },
  ...MCP_CALLS,
].flatMap((call) => [
  { ...call, connections: 32 },
  { ...call, name: `${call.name}, one by one`, connections: 1 },
])

type Pair = { before: LoadFigures; now: LoadFigures }

/** One round: before, now, now, before, so that no side always follows the other. */
async function measureRound(before: BenchSubject, now: BenchSubject): Promise<Pair[]> {
  const first = { before: await measureLoad(before, SECONDS), now: await measureLoad(now, SECONDS) }
  const second = { now: await measureLoad(now, SECONDS), before: await measureLoad(before, SECONDS) }
  return [first, second]
}

/** Rounds of each call in turns, so that a busy minute of the machine falls on all of them. */
async function measurePairs(before: Checkout, now: Checkout): Promise<Map<string, Pair[]>> {
  const found = new Map<string, Pair[]>(CALLS.map(({ name }) => [name, []]))
  for (let round = -1; round < benchOptions.rounds; round++) {
    for (const { name, path, ...call } of CALLS) {
      const at = (checkout: Checkout): BenchSubject => ({ ...checkout, ...call, url: checkout.url + path })
      const pairs = await measureRound(at(before), at(now))
      // The first round warms up.
      if (round >= 0) found.get(name)?.push(...pairs)
    }
  }
  return found
}

const ratio = (pairs: readonly Pair[], figure: keyof LoadFigures): string =>
  formatTimesSpread(pairs.map(({ before, now }) => now[figure] / before[figure]))

function formatPairs(found: Map<string, Pair[]>): string {
  const ratios = [...found].map(([name, pairs]) => [
    name,
    ratio(pairs, 'serverCpuUs'),
    ratio(pairs, 'databaseCpuUs'),
    ratio(pairs, 'perSecond'),
    ratio(pairs, 'p50'),
  ])
  const figures = [...found].flatMap(([name, pairs]) =>
    (['before', 'now'] as const).map((side) => {
      return [`${name}, ${side}`, ...formatLoad(pairs.map((pair) => pair[side]))]
    }),
  )
  return [
    markdownTable(
      [`now ÷ before, ${benchOptions.rounds * 2} pairs`, 'web CPU', 'PostgreSQL CPU', 'requests/s', 'p50'],
      ratios,
    ),
    markdownTable(['', ...LOAD_HEADS], figures),
  ].join('\n\n')
}

/**
 * The server of this checkout against that of another one (`--against FOLDER`), both built: the
 * same sandbox and upstream, one database server with a database for each, rounds in turns. The
 * ratio of neighbours is what counts. Returns Markdown tables.
 */
export async function benchAgainst(): Promise<string> {
  if (!benchOptions.against) throw new CliError('Name a built checkout: npm run bench -- --against FOLDER')
  const other = path.resolve(benchOptions.against)
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-bench-'))
  const [sandboxPort, upstreamPort] = [await findFreePort(4_500), await findFreePort(4_800)]
  const SANDBOX_URL = `http://127.0.0.1:${sandboxPort}`
  const upstream = startOtherProcess(['tests/bench/chat-upstream.mjs', String(upstreamPort)])
  const sandbox = startChildProcess('sandbox', { ...process.env, SANDBOX_URL }, { logName: 'bench-sandbox' })
  const MODELS_FILE = writeMockModels(folder, `http://127.0.0.1:${upstreamPort}`)
  const given = { SANDBOX_URL, MODELS_FILE, LOG_LEVEL: 'info' }
  const started: Checkout[] = []
  try {
    await waitUntilServerReady(`${SANDBOX_URL}/healthz`)
    const before = await startCheckout('before', other, given)
    started.push(before)
    const now = await startCheckout('now', PROJECT_ROOT, given)
    started.push(now)
    return formatPairs(await measurePairs(before, now))
  } finally {
    await Promise.all(started.map(({ stop }) => stop()))
    await endProcesses([sandbox.process], 5_000)
    upstream.end()
    rmSync(folder, { recursive: true })
  }
}

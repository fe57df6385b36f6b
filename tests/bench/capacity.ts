import { ASSUMPTIONS } from '../../server/cli/capacity/assumptions'
import { mainPool } from '../../server/db'
import { type BenchSubject, type LoadFigures, measureInTurns, measureLoad, startGateway } from './measure'
import { QUERY_BODY } from './query-body'
import { formatHundredth, formatTenth, formatWhole, markdownTable, medianOfEach, spreadOf } from './table'

const SECONDS = 5
/** Connections of the load: batches as they are under load, and as small as they get. */
const MANY = 32
const FEW = 2

/** Cores of each machine of the model. */
const CORES = 8
const NODES = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64]

type CallFigures = LoadFigures & { commits: number; walBytes: number }

/** What the database has written and committed so far. */
async function readWritten(): Promise<{ wal: number; commits: number }> {
  const { rows } = await mainPool().query<{ wal: string; commits: string }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text AS wal, xact_commit::text AS commits
      FROM pg_stat_database WHERE datname = current_database()`,
  )
  return { wal: Number(rows[0]?.wal), commits: Number(rows[0]?.commits) }
}

/** A load with what the database wrote for each of its calls. */
async function measureWritten(subject: BenchSubject, seconds: number): Promise<CallFigures> {
  const before = await readWritten()
  const load = await measureLoad(subject, seconds)
  const after = await readWritten()
  const calls = load.perSecond * seconds
  return { ...load, commits: (after.commits - before.commits) / calls, walBytes: (after.wal - before.wal) / calls }
}

/**
 * What a call costs, µs: the web process, and of PostgreSQL a part for each call and each commit.
 */
type CallCost = {
  webUs: number
  callUs: number
  commitUs: number
  commits: number
  maxCommits: number
  walBytes: number
}

/** Solves both loads for what a commit costs beside its calls. */
function costOf(many: CallFigures, few: CallFigures): CallCost {
  const commitUs = Math.max(0, (few.databaseCpuUs - many.databaseCpuUs) / (few.commits - many.commits))
  const callUs = Math.max(0, many.databaseCpuUs - commitUs * many.commits)
  const { serverCpuUs: webUs, commits, walBytes } = many
  return { webUs, callUs, commitUs, commits, maxCommits: few.commits, walBytes }
}

type Layout = { nodes: number; webs: number; primaries: number; standbys: number }

/**
 * Ways to divide machines: one has all; of two, one is the database's; from three on each primary
 * has a standby, and what is left serves.
 */
function layoutsOf(nodes: number): Layout[] {
  if (nodes <= 2) return [{ nodes, webs: 1, primaries: 1, standbys: 0 }]
  const pairs = Math.floor((nodes - 1) / 2)
  return Array.from({ length: pairs }, (_, i) => ({
    nodes,
    webs: nodes - 2 * (i + 1),
    primaries: i + 1,
    standbys: i + 1,
  }))
}

type Planned = Layout & { perSecond: number; bound: 'web' | 'database' | 'both'; walMbS: number }

/**
 * What a layout serves. `isRouted`: the proxy sends the calls of an account to the processes of its
 * primary. Otherwise a batch of a process falls into one part for each primary that has an account
 * of it, and commits as often as that, at most once a call.
 */
function plan(layout: Layout, cost: CallCost, isRouted: boolean): Planned {
  const { nodes, webs, primaries } = layout
  const usable = (machines: number) => (machines * CORES * ASSUMPTIONS.busy.value) / 100
  const commits = isRouted ? cost.commits : Math.min(cost.maxCommits, cost.commits * primaries)
  const databaseUs = cost.callUs + cost.commitUs * commits
  const ofWebs = (usable(webs) * 1e6) / cost.webUs
  const ofDatabase = (usable(primaries) * 1e6) / databaseUs
  const perSecond = nodes === 1 ? (usable(1) * 1e6) / (cost.webUs + databaseUs) : Math.min(ofWebs, ofDatabase)
  const bound = nodes === 1 ? 'both' : ofWebs < ofDatabase ? 'web' : 'database'
  return { ...layout, perSecond, bound, walMbS: (perSecond * cost.walBytes) / primaries / 1e6 }
}

/** A primary more has to be worth it. */
const WORTH = 1.01

const bestOf = (nodes: number, cost: CallCost, isRouted: boolean): Planned =>
  layoutsOf(nodes)
    .map((layout) => plan(layout, cost, isRouted))
    .reduce((best, each) => (each.perSecond > best.perSecond * WORTH ? each : best))

const percent = (part: number): string => `${formatTenth(100 * part)} %`

/**
 * What stops when one machine is lost; how long is measured in docs/guides/high-availability.md.
 */
function lossOf({ nodes, webs, primaries, standbys }: Planned): string {
  if (nodes === 1) return 'everything, until it is back'
  const ofWeb = webs === 1 ? 'all calls, until it is back' : `${percent(1 / webs)} of the calls in progress`
  const ofAccounts = primaries === 1 ? 'all accounts' : `${percent(1 / primaries)} of the accounts`
  return `web: ${ofWeb}; primary: ${ofAccounts}, ${standbys > 0 ? 'some 20 s' : 'until it is back'}`
}

const row = (planned: Planned, unrouted: Planned): string[] => [
  String(planned.nodes),
  `${planned.webs} + ${planned.primaries} + ${planned.standbys}`,
  formatWhole(planned.perSecond),
  `${formatWhole(unrouted.perSecond)} (${unrouted.primaries})`,
  planned.bound,
  formatTenth(planned.walMbS),
  formatHundredth((planned.nodes * 1e6) / planned.perSecond / 3_600),
  lossOf(planned),
]

/**
 * What a billed `/query` costs here, and what 1 to 64 machines of 8 cores serve at that cost: a
 * model of the measured CPU time, for machines of the same speed. Returns Markdown tables.
 */
export async function benchCapacity(): Promise<string> {
  const { url, pid, key, stop } = await startGateway()
  try {
    const subject = { url: `${url}/api/v1/query`, pid, key, body: QUERY_BODY }
    const [many, few] = await measureInTurns(
      [MANY, FEW].map((connections) => ({ ...subject, name: `${connections} connections`, connections })),
      (each, isWarmUp) => measureWritten(each, isWarmUp ? 2 : SECONDS),
    )
    if (!many || !few) throw new Error('Nothing was measured')
    const { rows } = await mainPool().query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name LIKE 'tollgate web ${pid}%'`,
    )
    const cost = costOf(medianOfEach(many.rounds), medianOfEach(few.rounds))
    const planned = NODES.map((nodes) => bestOf(nodes, cost, true))
    const single = planned.filter(({ primaries }) => primaries === 1).at(-1)
    return [
      markdownTable(
        ['billed /query', 'requests/s', 'web CPU µs', 'PostgreSQL CPU µs', 'commits a call', 'WAL bytes a call'],
        [many, few].map(({ name, rounds }) => [
          name,
          spreadOf(rounds, 'perSecond', formatWhole),
          spreadOf(rounds, 'serverCpuUs', formatWhole),
          spreadOf(rounds, 'databaseCpuUs', formatWhole),
          spreadOf(rounds, 'commits', formatHundredth),
          spreadOf(rounds, 'walBytes', formatWhole),
        ]),
      ),
      `PostgreSQL: ${formatWhole(cost.callUs)} µs a call and ${formatWhole(cost.commitUs)} µs a commit. The process had ${rows[0]?.n} connections.`,
      `Machines of ${CORES} cores, used to ${ASSUMPTIONS.busy.value} %. Up to ${single?.nodes} machines one primary is enough. With more, an account has a primary, and the proxy sends its calls to the processes of that; without that, batches fall apart:`,
      markdownTable(
        [
          'machines',
          'web + primaries + standbys',
          'requests/s',
          'not routed (primaries)',
          'bound by',
          'WAL MB/s of each primary',
          'machine hours a million calls',
          'one machine lost stops',
        ],
        planned.map((each) => row(each, bestOf(each.nodes, cost, false))),
      ),
    ].join('\n\n')
  } finally {
    await stop()
  }
}

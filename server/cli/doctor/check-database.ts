import pg from 'pg'
import { missingRights } from '../migrations/rights'
import { failedText, type MigrationState, migrationState, newerVersionText } from '../migrations/state'
import { CHECK_MS, type DoctorCheck, failure, warning, well } from './check'

const NAME = 'database'

const SERVER = `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
    pg_is_in_recovery() AS "isStandby", current_setting('max_connections')::int AS "maxConnections",
    (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
    current_setting('synchronous_commit') AS "commit",
    extract(epoch FROM clock_timestamp()) * 1000 AS now`

const STANDBYS = `SELECT application_name AS name, state, coalesce(extract(epoch FROM replay_lag), 0)::float8 AS lag
  FROM pg_stat_replication`

const STATE = `SELECT
    (SELECT count(*)::int FROM hold WHERE created_at < now() - interval '10 minutes') AS "oldHolds",
    (SELECT count(*)::int FROM settlement_dead) AS "putAside",
    (SELECT count(*)::int FROM holder WHERE lease_until > now()) AS processes,
    (SELECT count(*)::int FROM pgboss.job WHERE name = 'agent-runs' AND state < 'active' AND start_after <= now()) AS waiting,
    (SELECT coalesce(extract(epoch FROM now() - min(start_after)), 0)::int FROM pgboss.job
      WHERE name = 'agent-runs' AND state < 'active' AND start_after <= now()) AS "waitingS"`

type Server = {
  version: string
  number: number
  isStandby: boolean
  maxConnections: number
  connections: number
  commit: string
  now: string
}

/** Lends a connection for a look. */
export async function withConnection<T>(url: string, work: (db: pg.Client) => Promise<T>): Promise<T> {
  const db = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CHECK_MS,
    statement_timeout: CHECK_MS,
    query_timeout: CHECK_MS,
    application_name: 'tollgate doctor',
  })
  db.on('error', () => {})
  await db.connect()
  try {
    return await work(db)
  } finally {
    await db.end().catch(() => {})
  }
}

/** Looks at the server, the migrations, the clock, standbys, holds and the queue. */
export const checkDatabase = ({ url, ownerUrl }: { url: string; ownerUrl: string }): Promise<DoctorCheck[]> =>
  withConnection(url, async (db) => {
    const before = Date.now()
    const [server] = (await db.query<Server>(SERVER)).rows
    if (!server) return []
    const here = (before + Date.now()) / 2
    const state = await migrationState(db)
    const isCurrent = state.missing.length === 0 && state.unknown.length === 0
    return [
      ...serverChecks(server),
      clockCheck('database', Number(server.now) - here),
      await migrationCheck(state, ownerUrl),
      await preparedCheck(db),
      ...(await standbyChecks(db)),
      ...(isCurrent ? await stateChecks(db) : []),
    ]
  })

function serverChecks({ version, number, isStandby, maxConnections, connections, commit }: Server): DoctorCheck[] {
  const used = `${connections} of ${maxConnections} connections`
  return [
    number < 150_000
      ? failure(NAME, `PostgreSQL ${version} is too old`, 'Use PostgreSQL 15 or newer.')
      : isStandby
        ? failure(NAME, 'it is a standby, which takes no writes', 'Set DATABASE_URL to the primary.')
        : well(NAME, `PostgreSQL ${version} answers`),
    connections > maxConnections * 0.8
      ? warning('connections', used, 'Raise max_connections, run fewer processes, or use a pooler.')
      : well('connections', used),
    ...(commit === 'off'
      ? [warning(NAME, 'synchronous_commit is off', 'Turn it on: a crash of the server loses charges.')]
      : []),
  ]
}

/** A clock that differs from that of this machine by so many milliseconds. */
export function clockCheck(whose: string, differenceMs: number): DoctorCheck {
  const seconds = Math.abs(differenceMs) / 1_000
  const text = `differs by ${seconds.toFixed(1)} s from that of the ${whose}`
  if (seconds < 2) return well('clock', text)
  const advice = 'Let NTP set the clock of both machines (timedatectl).'
  return seconds < 30 ? warning('clock', text, advice) : failure('clock', text, advice)
}

async function migrationCheck(state: MigrationState, ownerUrl: string): Promise<DoctorCheck> {
  const { missing, unknown, later, failed } = state
  if (unknown.length > 0) return failure('migrations', newerVersionText(state), 'Install that version of Tollgate.')
  if (later.length > 0)
    return well('migrations', `all are applied, and ${later.length} of a newer release that this one works with`)
  if (missing.length === 0) return well('migrations', 'all are applied')
  const problem = failed ? failedText(failed) : await withConnection(ownerUrl, missingRights)
  if (problem) return failure('migrations', problem.text, problem.advice)
  return failure('migrations', `${missing.length} are not applied: ${missing.join(', ')}`, 'npm run db:migrate')
}

/** A pooler that gives each transaction another connection loses what was prepared. */
async function preparedCheck(db: pg.Client): Promise<DoctorCheck> {
  const name = `doctor_${process.pid}`
  try {
    for (let i = 0; i < 5; i++) await db.query({ name, text: 'SELECT 1' })
    return well('prepared statements', 'are kept between transactions')
  } catch (error) {
    return failure(
      'prepared statements',
      (error as Error).message,
      'Let the pooler keep them (PgBouncer 1.21 or newer: max_prepared_statements), or pool by session.',
    )
  }
}

async function standbyChecks(db: pg.Client): Promise<DoctorCheck[]> {
  const { rows } = await db.query<{ name: string; state: string | null; lag: number }>(STANDBYS)
  return rows.map(({ name, state, lag }) => {
    const text = `${name} is ${state ?? 'connected'}, ${lag.toFixed(1)} s behind`
    return lag > 30
      ? warning('standby', text, 'Look at the network and the disk of the standby.')
      : well('standby', text)
  })
}

type State = { oldHolds: number; putAside: number; processes: number; waiting: number; waitingS: number }

async function stateChecks(db: pg.Client): Promise<DoctorCheck[]> {
  const [state] = (await db.query<State>(STATE)).rows
  if (!state) return []
  const { oldHolds, putAside, processes, waiting, waitingS } = state
  return [
    oldHolds > 0
      ? warning('holds', `${oldHolds} are older than any call`, 'npm run admin -- holds')
      : well('holds', 'none is older than any call'),
    putAside > 0
      ? failure('settlements', `${putAside} were put aside`, 'npm run admin -- holds, then settlement retry --id ID')
      : well('settlements', 'none was put aside'),
    processes === 0
      ? warning('processes', 'no web or worker process is alive', 'npm start, and npm run worker')
      : well('processes', `${processes} alive`),
    waitingS > 60
      ? failure('queue', `${waiting} runs wait, the oldest for ${waitingS} s`, 'Start a worker, or more of them.')
      : well('queue', waiting === 0 ? 'no run waits' : `${waiting} runs wait, the oldest for ${waitingS} s`),
  ]
}

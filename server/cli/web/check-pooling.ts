import type pg from 'pg'
import { hotPool, mainPool } from '../../db'
import { findPooling } from './pooler'

const TRANSACTIONS = `DATABASE_URL leads to a pooler in transaction mode, which keeps no session for the ledger and the queue. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself, or the pooler to pool_mode = session.`

const NOT_DIRECT =
  'DATABASE_DIRECT_URL leads to a pooler in transaction mode too: it must be the address of PostgreSQL itself.'

const ELSEWHERE = 'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases.'

const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const

/** Says why the pools of this process cannot work behind the pooler that is in between, or null. */
export async function poolingProblem({ isPooled }: { isPooled: boolean }): Promise<string | null> {
  if ((await findPooling(hotPool())) === 'transaction') return isPooled ? NOT_DIRECT : TRANSACTIONS
  if (!isPooled) return null
  if ((await whereOf(mainPool())) !== (await whereOf(hotPool()))) return ELSEWHERE
  const missing = await missingLimits(mainPool())
  return missing.length === 0 ? null : unlimited(missing)
}

/** Which database this is, of which server. */
async function whereOf(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ at: string }>(
    `SELECT format('%s %s', current_database(), pg_postmaster_start_time()) AS at`,
  )
  return rows[0]?.at ?? ''
}

/** The limits that the pooler's servers lack: a frozen process would hold its locks for good. */
async function missingLimits(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    'SELECT name FROM pg_settings WHERE name = ANY($1) AND setting = $2',
    [LIMITS, '0'],
  )
  return rows.map(({ name }) => name)
}

const unlimited = (missing: string[]): string =>
  `Behind the pooler of DATABASE_URL ${missing.join(' and ')} is not set. In the [databases] line of PgBouncer set connect_query = 'SET statement_timeout = ''5s''; SET lock_timeout = ''4s''; SET idle_in_transaction_session_timeout = ''5s''', and restart it.`

/** True for what PgBouncer says to a connection that sets limits of its session. */
export const isPoolerRefusal = (message: string): boolean => message.includes('unsupported startup parameter')

/** Such a refusal with what to do. */
export const withPoolerAdvice = (message: string): string =>
  `${message}. In transaction mode set DATABASE_DIRECT_URL as well; in session mode let PgBouncer ignore it (ignore_startup_parameters).`

import { setTimeout as sleep } from 'node:timers/promises'
import type { QueryResultRow } from 'pg'
import { databaseDown, isDatabaseDown, pool } from '../db'
import { log } from '../kit/log'

const RETRY = new Set(['40P01', '40001'])

/**
 * Runs one SQL function of the money path as one transaction and answers its rows ordered by `n`.
 * Deadlocks, serialization failures and a lost connection are tried again: every such function is idempotent.
 * Throws `unavailable` when the database stays away.
 */
export async function transact<R extends QueryResultRow>(name: string, sql: string, values: unknown[]): Promise<R[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { rows } = await pool().query<R>({ name, text: sql, values })
      return rows
    } catch (error) {
      const down = isDatabaseDown(error)
      const again = down || RETRY.has((error as { code?: string }).code ?? '')
      if (again && attempt < 4) {
        log.warn({ sql: name, err: (error as Error).message }, 'money path: trying again')
        await sleep(20 * 4 ** attempt * Math.random())
        continue
      }
      throw down ? databaseDown(error) : error
    }
  }
}

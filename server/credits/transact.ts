import { setTimeout as sleep } from 'node:timers/promises'
import type { QueryResultRow } from 'pg'
import { databaseDown, isDatabaseDown, pool } from '../db'
import { log } from '../kit/log'

const RETRY = new Set(['40P01', '40001'])

type Options = {
  /** False for what must not be done twice: after a lost connection nobody knows whether it was done once. */
  repeatable?: boolean
}

/**
 * Runs one SQL function of the money path as one transaction and answers its rows ordered by `n`.
 * Deadlocks and serialization failures are tried again, and, as nearly every such function is idempotent, a lost
 * connection. Throws `unavailable` when the database stays away.
 */
export async function transact<R extends QueryResultRow>(
  name: string,
  sql: string,
  values: unknown[],
  { repeatable = true }: Options = {},
): Promise<R[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { rows } = await pool().query<R>({ name, text: sql, values })
      return rows
    } catch (error) {
      const down = isDatabaseDown(error)
      const again = (down && repeatable) || RETRY.has((error as { code?: string }).code ?? '')
      if (again && attempt < 4) {
        log.warn({ sql: name, err: (error as Error).message }, 'money path: trying again')
        await sleep(20 * 4 ** attempt * Math.random())
        continue
      }
      throw down ? databaseDown(error) : error
    }
  }
}

import pg from 'pg'
import { hotPool, mainPool } from '../../server/db'

/** Makes this process's pools lead nowhere; the returned function brings the real ones back. */
export function loseDatabase(): () => void {
  const pools = [mainPool, hotPool].map((pool) => ({ pool, real: pool() }))
  for (const { pool } of pools) pool.set(new pg.Pool({ connectionString: 'postgresql://u@127.0.0.1:1/gone' }))
  return () => {
    for (const { pool, real } of pools) pool.set(real)
  }
}

/** Runs work while this process's pools lead nowhere. */
export async function withoutDatabase<T>(work: () => Promise<T>): Promise<T> {
  const back = loseDatabase()
  try {
    return await work()
  } finally {
    back()
  }
}

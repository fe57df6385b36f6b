import pg from 'pg'
import { hotPool, mainPool } from '../../server/db'

/** Makes this process's pools lead nowhere; the returned function brings the real ones back. */
export function loseDatabase(): () => void {
  const store = globalThis as unknown as Record<symbol, pg.Pool>
  const real = { pool: mainPool(), 'hot-pool': hotPool() }
  for (const name of Object.keys(real)) {
    store[Symbol.for(`tollgate.${name}`)] = new pg.Pool({ connectionString: 'postgresql://u@127.0.0.1:1/gone' })
  }
  return () => {
    for (const [name, made] of Object.entries(real)) store[Symbol.for(`tollgate.${name}`)] = made
  }
}

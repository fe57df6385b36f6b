import type pg from 'pg'

/**
 * How a URL leads to PostgreSQL: itself, or a pooler that lends a server for a session or a
 * transaction.
 */
export type Pooling = 'none' | 'session' | 'transaction'

/** Servers are lent at random while others use the pooler, so it is asked several times. */
const ROUNDS = 5

const backendOf = async (client: pg.ClientBase): Promise<number> =>
  (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid ?? 0

/**
 * Finds out whether a pooler is in between, and of which kind. PostgreSQL introduces itself with
 * the pid of the backend; a pooler with a number of its own. Two open connections that meet the
 * same backend, or one that meets two, share their servers by transaction.
 */
export async function findPooling(pool: pg.Pool): Promise<Pooling> {
  const one = await pool.connect()
  try {
    const introduced = (one as pg.ClientBase & { processID?: number | null }).processID
    const first = await backendOf(one)
    if (introduced === first) return 'none'
    const other = await pool.connect()
    try {
      for (let round = 0; round < ROUNDS; round++) {
        if ((await backendOf(other)) === first || (await backendOf(one)) !== first) return 'transaction'
        // Holds a server, so that the next statement of the first connection may get another.
        await other.query('BEGIN')
        const held = await backendOf(other)
        const next = held === first ? held : await backendOf(one)
        await other.query('ROLLBACK')
        if (held === first || next !== first) return 'transaction'
      }
      return 'session'
    } finally {
      other.release()
    }
  } finally {
    one.release()
  }
}

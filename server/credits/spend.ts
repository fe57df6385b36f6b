import { pool } from '../db'

const DAY_MS = 86_400_000

export type Spend = { day: string; product: string; keyId: number | null; what: string; charged: number; calls: number }

/** An owner's credits per UTC day, product, key and tool or model, over the last `days` days, today included. */
export async function spendByDay(ownerId: number, days: number, now = new Date()): Promise<Spend[]> {
  const { rows } = await pool().query<Omit<Spend, 'charged' | 'calls'> & { charged: string; calls: string }>(
    `SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, product, key_id AS "keyId", what,
       sum(charged) AS charged, count(*) AS calls
     FROM receipt WHERE owner_id = $1 AND at >= $2 GROUP BY 1, 2, 3, 4 ORDER BY 1`,
    [ownerId, `${lastDays(days, now)[0]}T00:00:00Z`],
  )
  return rows.map((row) => ({ ...row, charged: Number(row.charged), calls: Number(row.calls) }))
}

/** The last `days` UTC days, oldest first, as YYYY-MM-DD. */
export const lastDays = (days: number, now = new Date()): string[] =>
  Array.from({ length: days }, (_, i) => new Date(now.getTime() - (days - 1 - i) * DAY_MS).toISOString().slice(0, 10))

/** Tool and model ids an owner has called, for a filter's choices. */
export async function calledNames(ownerId: number): Promise<string[]> {
  const { rows } = await pool().query<{ what: string }>(
    'SELECT DISTINCT what FROM receipt WHERE owner_id = $1 ORDER BY what',
    [ownerId],
  )
  return rows.map((row) => row.what)
}

import type pg from 'pg'
import packageOfQueue from 'pg-boss/package.json' with { type: 'json' }
import { QUEUE_SCHEMA, RUN_QUEUE, WEBHOOK_QUEUE } from '../../agent/queue/setup'

/** The schema of the queue that its package has now. */
export const QUEUE_VERSION = packageOfQueue.pgboss.schema

/**
 * Whether a database has the queues and their tables, in the version that the package has now: then
 * the package need not be loaded to prepare it.
 */
export async function hasQueues(db: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows: tables } = await db.query(`SELECT to_regclass('${QUEUE_SCHEMA}.version') IS NOT NULL AS "isThere"`)
  if (!tables[0].isThere) return false
  const { rows } = await db.query<{ version: number; queues: number }>(
    `SELECT max(version) AS version,
       (SELECT count(*)::int FROM ${QUEUE_SCHEMA}.queue WHERE name = ANY ($1)) AS queues
     FROM ${QUEUE_SCHEMA}.version`,
    [[RUN_QUEUE, WEBHOOK_QUEUE]],
  )
  return rows[0]?.queues === 2 && rows[0].version >= QUEUE_VERSION
}

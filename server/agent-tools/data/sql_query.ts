import { z } from 'zod'
import { needsApproval } from '../../errors'
import { defineTool } from '../../tools/define'
import { classifyStatement } from './classify-statement'
import { canConnectDatabases } from './database-url'
import { countAffected, runSql } from './run-sql'
import { rowsAsObjects } from './table'

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()])

const listValues = (params: readonly unknown[]): string =>
  params.length === 0
    ? ''
    : ` Its values: ${params.map((value, i) => `$${i + 1} = ${JSON.stringify(value)}`).join(', ')}.`

export const sqlQuery = defineTool({
  id: 'sql_query',
  label: 'Query the connected database',
  capability: 'data',
  description:
    'Runs one SQL statement on the PostgreSQL database that the owner connected. Reads run in a read-only transaction; ' +
    "anything else needs a person's approval and is then committed. Returns at most 1,000 rows. information_schema lists " +
    'the tables.',
  params: z.strictObject({
    sql: z
      .string()
      .min(1)
      .max(100_000)
      .regex(/^[^\0]*$/, 'must not contain NUL')
      .describe('One statement in the PostgreSQL dialect; values as $1, $2, …'),
    params: z.array(cell).max(1_000).default([]).describe('The values of $1, $2, …'),
  }),
  output: z.object({
    columns: z.array(z.string()),
    rows: z.array(z.record(z.string(), cell)),
    totalRows: z.int().describe('Rows returned'),
    affected: z.int().nullable().describe('Rows that a write changed; null for a read'),
    truncated: z.boolean().describe('There were more rows'),
    nextCursor: z.null(),
  }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: true, idempotent: false },
  flow: { reads: ['private'], sink: { kind: 'inside' } },
  available: canConnectDatabases,
  async asks({ sql, params }, { ownerId }) {
    const statement = await classifyStatement(sql, { ownerId })
    if (statement.kind === 'read') return null
    return {
      summary: `Run this statement on the connected database, and commit it.${listValues(params)}`,
      reason: `It may do more than read: ${statement.reason}.`,
      sql,
      effect: async () => (statement.isCountable ? countAffected(ownerId, { sql, params }) : null),
    }
  },
  async run({ sql, params }, { ownerId, signal, approved = false }) {
    const isRead = (await classifyStatement(sql, { ownerId, signal })).kind === 'read'
    if (!isRead && !approved) throw needsApproval('This statement')
    const { columns, rows, affected, truncated } = await runSql(ownerId, { sql, params, mayWrite: !isRead }, signal)
    const table = { columns: columns.map((name) => ({ name, type: 'text' as const })), rows }
    return { columns, rows: rowsAsObjects(table), totalRows: rows.length, affected, truncated, nextCursor: null }
  },
})

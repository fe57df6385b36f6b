import { z } from 'zod'
import { holderId } from '../credits/holder'
import { executeStatement, runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { statement } from '../kit/statement'

const MAX_PROCESSES = 300

/** What a process says of itself. */
export const ProcessFacts = z.object({
  kind: z.enum(['web', 'worker']),
  host: z.string(),
  pid: z.int(),
  version: z.string().describe('Of what was built'),
  launcher: z.string().nullable().describe('What started it and reads settings for it; null: nothing does'),
  settings: z.string().nullable().describe('A version of its settings, another one where a value differs'),
  readAt: z.iso.datetime().describe('When its settings were read'),
  startedAt: z.iso.datetime().nullable().default(null).describe('null: of a release that did not say'),
  unwritten: z.int().default(0).describe('Its charges that the database has not taken yet'),
  isLeaving: z.boolean().describe('It finishes its calls; another one has taken its place'),
})
export type ProcessFacts = z.infer<typeof ProcessFacts>

const NOTE = statement({
  name: 'operators_note_process',
  sql: `INSERT INTO holder (id, lease_until, about) VALUES ($1, clock_timestamp() + interval '45 seconds', $2)
    ON CONFLICT (id) DO UPDATE SET about = excluded.about`,
  params: ['uuid', 'jsonb'],
  columns: {},
})

/** Writes down what this process is. */
export const noteProcess = async (facts: ProcessFacts): Promise<void> =>
  void (await executeStatement(NOTE, [holderId(), JSON.stringify(facts)]))

const LIVING = statement({
  name: 'operators_living_processes',
  sql: `SELECT p.id, p.about FROM holder p WHERE p.lease_until > now() AND p.about IS NOT NULL
    ORDER BY p.about->>'kind', p.about->>'host', p.id LIMIT $1`,
  params: ['bigint'],
  columns: { id: 'uuid', about: 'jsonb?' },
})

/** The processes that live, and what they said of themselves. */
export async function listProcesses(options?: ReadOptions): Promise<({ id: string } & ProcessFacts)[]> {
  const rows = await runRead(LIVING, [BigInt(MAX_PROCESSES)], options)
  return rows.map(({ id, about }) => ({ id, ...ProcessFacts.parse(about) }))
}

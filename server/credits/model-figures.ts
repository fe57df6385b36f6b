import { z } from 'zod'
import { runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { statement } from '../kit/statement'

/** Latest calls of each model that are looked at: what a page costs does not grow with receipts. */
const RECENT = 100

const FIGURES = statement({
  name: 'model_figures',
  sql: `SELECT m.id AS model, count(*)::int AS calls, (count(*) FILTER (WHERE r.status <> 'ok'))::int AS failed,
      percentile_disc(0.5) WITHIN GROUP (ORDER BY r.first_ms) AS first_ms,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY r.speed)::numeric AS speed,
      percentile_disc(0.5) WITHIN GROUP (ORDER BY r.charged) FILTER (WHERE r.status = 'ok') AS charged
    FROM unnest($2::text[]) m (id) CROSS JOIN LATERAL (
      SELECT c.status, c.charged, (c.detail ->> 'firstTokenMs')::numeric AS first_ms,
        CASE WHEN c.status = 'ok' THEN (c.detail ->> 'outputTokens')::float8 * 1000
          / nullif(greatest((c.detail ->> 'durationMs')::float8 - coalesce((c.detail ->> 'firstTokenMs')::float8, 0), 0), 0)
        END AS speed
      FROM receipt c WHERE c.owner_id = $1 AND c.what = m.id ORDER BY c.at DESC LIMIT ${RECENT}) r
    GROUP BY 1`,
  params: ['int', 'text[]'],
  columns: {
    model: 'text',
    calls: 'int',
    failed: 'int',
    first_ms: 'numeric?',
    speed: 'numeric?',
    charged: 'bigint?',
  },
})

/** What an account's latest calls of a model were like. */
export const ModelFigures = z.object({
  model: z.string(),
  calls: z.int().describe(`The latest ones, ${RECENT} at most`),
  failed: z.int(),
  firstTokenMs: z.int().nullable().describe('Of the middle one; null: none was streamed'),
  tokensPerSecond: z.number().nullable().describe('Output after the first token, of the middle one'),
  charged: z.int().nullable().describe('Credits, of the middle one; null: none ended well'),
})
export type ModelFigures = z.infer<typeof ModelFigures>

/**
 * How fast, sound and dear models were in an account's latest calls; models without calls are left
 * out.
 */
export async function readModelFigures(
  ownerId: number,
  models: readonly string[],
  options?: ReadOptions,
): Promise<ModelFigures[]> {
  const rows = await runRead(FIGURES, [ownerId, models], options)
  return rows.map(({ model, calls, failed, first_ms, speed, charged }) => ({
    model,
    calls,
    failed,
    firstTokenMs: first_ms === null ? null : Math.round(Number(first_ms)),
    tokensPerSecond: speed === null ? null : Math.round(Number(speed) * 10) / 10,
    charged: charged === null ? null : Number(charged),
  }))
}

import { z } from 'zod'
import { type JobView, NotesOf } from '../shape'

/** Of the latest run of a job `j`: the notes that it was given, and what it wrote into them. */
export const MEMORY = `(SELECT jsonb_agg(CASE WHEN w.kind = 'model' THEN w.input->'memory' ELSE w.output END ORDER BY w.index)
  FROM step w WHERE w.job_id = j.id AND w.run_id = j.run_id AND w.error IS NULL
    AND (w.kind = 'model' AND jsonb_exists(w.input, 'memory') OR w.kind = 'tool' AND w.name = 'remember'))`

const Line = z.object({ of: NotesOf, text: z.string() })
const Rows = z.array(z.union([z.array(Line), Line])).nullable()

export function viewMemory(given: unknown): JobView['memory'] {
  const rows = Rows.parse(given) ?? []
  return {
    read: [...new Set(rows.flatMap((row) => (Array.isArray(row) ? row.map(({ of }) => of) : [])))],
    remembered: rows.flatMap((row) => (Array.isArray(row) ? [] : [row])),
  }
}

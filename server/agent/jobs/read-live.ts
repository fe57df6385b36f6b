import { runStatement } from '../../db'
import { makeBatcher } from '../../kit/batch'
import { statement } from '../../kit/statement'
import { StepKind } from '../shape'
import { type LivePosition, type LiveStepView, LiveText } from './live-view'

type LiveQuery = { ownerId: number; jobId: string; have: LivePosition | null }

const NONE = '00000000-0000-0000-0000-000000000000'

// A step that was committed, or whose worker lost its claim, is no longer in progress.
const LIVE = statement({
  name: 'agent_live_steps',
  sql: `SELECT (q.n - 1)::int AS n, l.index, l.run_id AS "runId", l.attempt_id AS "attemptId", l.kind, l.name, l.input, l.note,
      l.started_at AS "startedAt",
      greatest(0, extract(epoch FROM clock_timestamp() - l.started_at) * 1000)::int AS "elapsedMs",
      (SELECT jsonb_agg(jsonb_build_object('part', t.part, 'kind', t.kind, 'name', t.name, 'text', t.text) ORDER BY t.part)
        FROM live_text t WHERE t.attempt_id = l.attempt_id
          AND t.part > CASE WHEN q.attempt = l.attempt_id THEN q.part ELSE -1 END) AS texts
    FROM unnest($1::int[], $2::uuid[], $3::uuid[], $4::int[]) WITH ORDINALITY AS q (owner_id, job_id, attempt, part, n)
    JOIN job j ON j.id = q.job_id AND j.owner_id = q.owner_id AND j.status = 'running'
    JOIN live_step l ON l.job_id = j.id AND l.run_id = j.run_id AND l.fencing_token = j.fencing_token
    WHERE NOT EXISTS (SELECT FROM step s WHERE s.job_id = l.job_id AND s.index = l.index)
    ORDER BY q.n, l.index`,
  params: ['int[]', 'uuid[]', 'uuid[]', 'int[]'],
  columns: {
    n: 'int',
    index: 'int',
    runId: 'uuid',
    attemptId: 'uuid',
    kind: 'text',
    name: 'text',
    input: 'jsonb?',
    note: 'text?',
    startedAt: 'timestamptz',
    elapsedMs: 'int',
    texts: 'jsonb?',
  },
  isPrepared: true,
})

async function readAll(queries: LiveQuery[]): Promise<LiveStepView[][]> {
  const rows = await runStatement(LIVE, [
    queries.map(({ ownerId }) => ownerId),
    queries.map(({ jobId }) => jobId),
    queries.map(({ have }) => have?.attemptId ?? NONE),
    queries.map(({ have }) => have?.part ?? -1),
  ])
  const found = queries.map((): LiveStepView[] => [])
  for (const { n, kind, startedAt, texts, ...row } of rows) {
    found[n]?.push({
      ...row,
      kind: StepKind.parse(kind),
      startedAt: startedAt.toISOString(),
      texts: LiveText.array().parse(texts ?? []),
    })
  }
  return found
}

/**
 * The steps of an owner's job that are in progress, with the texts that are new to a watcher. Only
 * of a watched job; another owner's job has none. Concurrent callers share a query.
 */
export const readLiveSteps = makeBatcher(readAll)

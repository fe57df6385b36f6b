import { runStatement } from '../../db'
import { statement } from '../../kit/statement'
import { answerJob } from '../jobs/answer'
import { Pause } from '../jobs/pause'
import { DEFAULT_HOURS, type ScheduleWaiting } from './shape'

/** The waiting run of each schedule that has one: a schedule has one run in progress at most. */
const WAITING = `FROM schedule_run r JOIN job j ON j.id = r.job_id AND j.run_id = r.run_id JOIN schedule s ON s.id = r.schedule_id
    WHERE r.state = 'running' AND j.status = 'awaiting_input'`
const HOURS = `coalesce(s.answer_no_hours, ${DEFAULT_HOURS})`

const READ = statement({
  name: 'schedule_waiting',
  sql: `SELECT s.id AS "scheduleId", j.id AS "jobId", j.awaiting, j.updated_at AS since,
      CASE WHEN s.when_waiting = 'answer_no' THEN j.updated_at + make_interval(hours => ${HOURS}) END AS "answersNoAt"
    ${WAITING} AND r.schedule_id = ANY ($1::uuid[])`,
  params: ['uuid[]'],
  columns: { scheduleId: 'uuid', jobId: 'uuid', awaiting: 'jsonb?', since: 'timestamptz', answersNoAt: 'timestamptz?' },
})

const summaryOf = ({ kind, question, planDetails, approval }: Pause): string => {
  const said = { question, plan: planDetails?.summary ?? 'A plan', approval: approval?.summary }[kind]
  return said ?? ''
}

/** What runs of schedules ask a person now, by their schedules. */
export async function readWaiting(scheduleIds: readonly string[]): Promise<Map<string, ScheduleWaiting>> {
  const rows = await runStatement(READ, [scheduleIds])
  return new Map(
    rows.map(({ scheduleId, jobId, awaiting, since, answersNoAt }) => {
      const asked = Pause.parse(awaiting)
      const times = { since: since.toISOString(), answersNoAt: answersNoAt?.toISOString() ?? null }
      return [scheduleId, { jobId, kind: asked.kind, summary: summaryOf(asked), ...times }]
    }),
  )
}

const UNANSWERED = statement({
  name: 'schedule_unanswered',
  sql: `SELECT j.id AS "jobId", j.owner_id AS "ownerId", j.awaiting, ${HOURS} AS hours ${WAITING}
      AND s.when_waiting = 'answer_no' AND j.updated_at < now() - make_interval(hours => ${HOURS})
    ORDER BY j.updated_at LIMIT 20`,
  params: [],
  columns: { jobId: 'uuid', ownerId: 'int', awaiting: 'jsonb?', hours: 'int' },
})

/** Who answers where nobody did, as the run's page names it. */
export const NOBODY = 'its schedule'

const NO: Record<Pause['kind'], string> = {
  question: 'Decide yourself, and prefer what can be undone.',
  plan: 'Do not act: end with what you would have done.',
  approval: 'Go on without it, and say in your answer what you left out.',
}

/** Answers no to runs that have waited as long as their schedules let them. */
export async function answerUnanswered(): Promise<void> {
  for (const { jobId, ownerId, awaiting, hours } of await runStatement(UNANSWERED, [])) {
    const { kind, toolCallId } = Pause.parse(awaiting)
    const feedback = `Nobody answered within ${hours} ${hours === 1 ? 'hour' : 'hours'}. ${NO[kind]}`
    const caller = { ownerId, keyId: null, grants: null, by: NOBODY }
    // An answer of a person that came first wins.
    await answerJob(caller, jobId, { approved: false, feedback, toolCallId }).catch(() => {})
  }
}

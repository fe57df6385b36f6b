import { getAgentSettings } from '../../accounts/agent-settings'
import { allowedAgentTools } from '../../agent-tools/registry'
import { holderId } from '../../credits/holder'
import { LimitSource } from '../../credits/shape'
import { runStatement } from '../../db'
import { AppError } from '../../errors'
import { noteKeyUse } from '../../keys/note-use'
import { log } from '../../kit/log'
import { isRecord } from '../../kit/record'
import { type RowOf, statement } from '../../kit/statement'
import { takeovers } from '../metrics'
import type { RunRef } from '../queue/send'
import { commitStep } from './commit'
import { readRunRows } from './read-rows'
import { MAX_STALLS } from './stalls'
import { type AgentRun, findChatModel } from './state'
import { failedWith } from './transition'

/** A step that was begun this often without finishing is given up. */
export const MAX_ATTEMPTS = 5
/**
 * Seconds: a call of a cancelled turn is waited for no longer than this, whatever happened to its
 * worker.
 */
const MAX_CALL_S = 300

/**
 * `over`: there is nothing to do. `later`: a call of the cancelled turn before is still in
 * progress. `isolate`: the step in progress stalled a process, and runs in a separate process next.
 */
export type ClaimResult =
  | { kind: 'claimed'; run: AgentRun }
  | { kind: 'over' }
  | { kind: 'later' }
  | { kind: 'isolate' }

const CLAIM = statement({
  name: 'agent_claim',
  sql: `SELECT outcome, owner_id AS "ownerId", fencing_token AS "fencingToken", attempts, stalls, reached_by AS "limitReached"
    FROM agent_claim($1, $2, $3, $4, $5)`,
  params: ['uuid', 'uuid', 'uuid', 'boolean', 'int'],
  columns: {
    outcome: ['claimed', 'over', 'later', 'isolate'],
    ownerId: 'int',
    fencingToken: 'int',
    attempts: 'int',
    stalls: 'int',
    limitReached: 'text?',
  },
  isPrepared: true,
})
type ClaimRow = RowOf<typeof CLAIM>

/**
 * Claims a run: raises its fencing token, so that an earlier claim can write nothing more, and
 * voids every hold made under an older token, so that a repeated call never competes with its own
 * dead hold. Returns the run from its rows.
 */
export async function claimRun(ref: RunRef, isIsolated: boolean): Promise<ClaimResult> {
  const { jobId, runId } = ref
  const [row] = await runStatement(CLAIM, [jobId, runId, holderId(), isIsolated, MAX_CALL_S])
  if (!row) throw new AppError('internal_error', 'agent_claim returned no row.')
  if (row.outcome !== 'claimed') return { kind: row.outcome }
  // A step that is begun for the first time, also after a release or an answer, is attempt 1.
  if (row.attempts > 1) takeovers.inc()
  const reason = reasonToGiveUp(row)
  const run = reason === null ? await readRun(ref, row) : null
  if (run) {
    noteKeyUse(run.keyId)
    return { kind: 'claimed', run }
  }
  const { ownerId, fencingToken, attempts, stalls } = row
  if (reason !== null) log.error({ job: jobId, run: runId, attempts, stalls }, 'a step was given up')
  const claimed = { jobId, runId, ownerId, fencingToken, attempts, steps: [], limitReached: null }
  await commitStep(claimed, null, failedWith(reason ?? 'The model of this run is no longer served here.'))
  return { kind: 'over' }
}

/** Why the next step is not attempted again; null: it is. */
function reasonToGiveUp({ attempts, stalls }: ClaimRow): string | null {
  if (stalls >= MAX_STALLS) {
    return 'The run was given up: its next step made the process that ran it stop responding, twice, the second time while nothing else ran there.'
  }
  if (attempts > MAX_ATTEMPTS) {
    return `The run was given up: its next step was begun ${MAX_ATTEMPTS} times and never finished.`
  }
  return null
}

/** A claimed run with all it needs to continue; null when its model cannot be called here. */
async function readRun({ jobId, runId }: RunRef, claim: ClaimRow): Promise<AgentRun | null> {
  const { ownerId, fencingToken, attempts, limitReached } = claim
  const [{ turns, steps, answers }, settings] = await Promise.all([
    readRunRows({ jobId, runId }, ownerId),
    getAgentSettings(ownerId),
  ])
  const turn = turns.at(-1)
  if (!turn || turn.runId !== runId) throw new AppError('internal_error', 'The latest turn of a job is another run.')
  const model = findChatModel(turn.model)
  if (!model) return null
  return {
    jobId,
    runId,
    ownerId,
    keyId: turn.keyId,
    customerId: turn.customerId,
    personId: turn.personId,
    fencingToken,
    attempts,
    mode: turn.mode,
    model,
    summaryModel: turn.summaryModel === null ? null : findChatModel(turn.summaryModel),
    goal: turn.goal,
    firstAgent: turn.agent,
    historyTurnLimit: turn.historyTurnLimit,
    outputSchema: isRecord(turn.outputSchema) ? turn.outputSchema : null,
    checks: turn.checks,
    spendLimitCredits: turn.capCredits,
    stopAtCredits: turn.stopAtCredits,
    turns,
    steps,
    answers: new Map(answers.map(({ index, ...answer }) => [index, answer])),
    permissions: turn.permissions,
    scheduleId: turn.scheduleId,
    usesNotes: turn.memory !== false,
    tools: allowedAgentTools({
      capabilities: turn.capabilities?.length ? turn.capabilities : null,
      disabledTools: settings.disabledTools,
    }),
    settings,
    limitReached: limitReached === null ? null : LimitSource.parse(limitReached),
    traceparent: turn.traceparent,
    startedAt: turn.startedAt,
  }
}

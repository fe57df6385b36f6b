import { getAgentSettings } from '../../accounts/agent-settings'
import { allowedAgentTools } from '../../agent-tools/registry'
import { holderId } from '../../credits/holder'
import { LimitSource } from '../../credits/shape'
import { prisma, runStatement } from '../../db'
import { AppError } from '../../errors'
import { log } from '../../kit/log'
import { type RowOf, statement } from '../../kit/statement'
import type { RunRef } from '../queue/send'
import { JobStatus, RunMode, StepKind } from '../shape'
import { commitTransition } from './commit'
import { MAX_STALLS } from './stalls'
import { type AgentRun, findChatModel } from './state'
import { failedWith } from './transition'

/** A step that was begun this often and never ended is given up. */
export const MAX_ATTEMPTS = 5
/** Seconds: no call of a cancelled turn is waited for any longer, whatever has become of its worker. */
const LONGEST_CALL_S = 300

/**
 * `over`: there is nothing to do. `later`: a call of the turn before, which was cancelled, is still in progress.
 * `isolate`: the step in progress stalled a process, and is to be run by a process of its own.
 */
export type ClaimResult = { kind: 'run'; run: AgentRun } | { kind: 'over' } | { kind: 'later' } | { kind: 'isolate' }

const CLAIM = statement({
  name: 'agent_claim',
  sql: `SELECT outcome, owner_id AS "ownerId", fence, attempts, stalls, reached_by AS reached
    FROM agent_claim($1, $2, $3, $4, $5)`,
  params: ['uuid', 'uuid', 'uuid', 'boolean', 'int'],
  columns: {
    outcome: ['claimed', 'over', 'later', 'isolate'],
    ownerId: 'int',
    fence: 'int',
    attempts: 'int',
    stalls: 'int',
    reached: 'text?',
  },
  isPrepared: true,
})
type ClaimRow = RowOf<typeof CLAIM>

/**
 * Takes a run's claim, so that whoever had it can write nothing more, and voids every hold made under an older fencing
 * token: the next attempt of a call never competes with its own dead hold. Returns the run as its rows have it.
 */
export async function claimRun(segment: RunRef, isIsolated: boolean): Promise<ClaimResult> {
  const { jobId, runId } = segment
  const [row] = await runStatement(CLAIM, [jobId, runId, holderId(), isIsolated, LONGEST_CALL_S])
  if (!row) throw new AppError('internal_error', 'A claim came to nothing.')
  if (row.outcome !== 'claimed') return { kind: row.outcome }
  const claim = { ...segment, ...row }
  const reason = reasonToGiveUp(row)
  const run = reason === null ? await readRun(claim) : null
  if (run) return { kind: 'run', run }
  if (reason !== null)
    log.error({ job: jobId, run: runId, attempts: row.attempts, stalls: row.stalls }, 'a step was given up')
  await commitTransition(claim, failedWith(reason ?? MODEL_GONE))
  return { kind: 'over' }
}

const MODEL_GONE = 'The model of this run is not served here any more.'

/** Why a run's next step is not attempted again, if so. */
function reasonToGiveUp({ attempts, stalls }: ClaimRow): string | null {
  if (stalls >= MAX_STALLS) {
    return 'The run was given up: its next step made the process that ran it stop responding, twice, the second time while nothing else ran there.'
  }
  if (attempts > MAX_ATTEMPTS) {
    return `The run was given up: its next step was begun ${MAX_ATTEMPTS} times and never ended.`
  }
  return null
}

/** Everything a run goes on from; null when its model cannot be called here. */
async function readRun({ jobId, runId, ...claim }: RunRef & ClaimRow): Promise<AgentRun | null> {
  const [turns, steps, answers, settings] = await Promise.all([
    prisma().turn.findMany({ where: { jobId }, orderBy: { number: 'asc' } }),
    prisma().step.findMany({ where: { jobId }, orderBy: { index: 'asc' } }),
    prisma().answer.findMany({ where: { jobId } }),
    getAgentSettings(claim.ownerId),
  ])
  const turn = turns.at(-1)
  if (!turn || turn.runId !== runId) throw new AppError('internal_error', 'A job has no turn.')
  const model = findChatModel(turn.model)
  if (!model) return null
  return {
    jobId,
    runId,
    ownerId: claim.ownerId,
    keyId: turn.keyId,
    fence: claim.fence,
    tries: claim.attempts,
    mode: RunMode.parse(turn.mode),
    model,
    goal: turn.goal,
    firstAgent: turn.agent,
    historyTurnLimit: turn.historyTurnLimit,
    capCredits: Number(turn.capCredits),
    turns: turns.map(({ runId, number, goal, status, result }) => ({
      runId,
      number,
      goal,
      status: JobStatus.parse(status),
      result,
    })),
    steps: steps.map((step) => ({
      index: step.index,
      runId: step.runId,
      kind: StepKind.parse(step.kind),
      name: step.name,
      input: step.input,
      output: step.output,
      error: step.error as { code: string; message: string } | null,
      charged: Number(step.charged),
    })),
    answers: new Map(answers.map(({ index, approved, feedback }) => [index, { approved, feedback }])),
    tools: allowedAgentTools({
      capabilities: turn.capabilities.length > 0 ? turn.capabilities : null,
      disabledTools: settings.disabledTools,
    }),
    reachedBy: claim.reached === null ? null : LimitSource.parse(claim.reached),
  }
}

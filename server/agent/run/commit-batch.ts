import { z } from 'zod'
import type { SettlementRow, SettleRequest } from '../../credits/settlement'
import { LimitSource } from '../../credits/shape'
import { isDatabaseUnavailable, runStatement, sharedBatch } from '../../db'
import { AppError } from '../../errors'
import { sanitizeJsonForPostgres } from '../../kit/sanitize-for-postgres'
import { statement } from '../../kit/statement'
import { type QueueMessage, queueMessageFor } from '../queue/send'
import type { AgentRun } from './state'
import { type SettlementVariant, type StepDraft, stepOutcomeFor, variantOutcomes } from './step-draft'
import type { Transition } from './transition'

/** A run, and the fencing token under which a worker may write to it. */
export type Claim = Pick<AgentRun, 'jobId' | 'runId' | 'ownerId' | 'fencingToken'>

export type CommitItem = { claim: Claim; step: StepDraft | null; transition: Transition }

/**
 * What `agent_commit` did with an item; `fenced`: another worker has the claim, so nothing was
 * written.
 */
export type CommitRow = Omit<SettlementRow, 'outcome'> & {
  /** null: the step had no hold. */
  outcome: SettlementRow['outcome'] | null
  going: 'on' | 'over' | 'fenced'
  variant: SettlementVariant
  reached: LimitSource | null
}

type Written = { row: CommitRow } | { error: unknown }

const commitBatched = sharedBatch(commitMany, ({ claim }) => claim.ownerId)

/**
 * Commits an item in one statement with the items that other runs of this process wait to commit.
 * After `unavailable` it is unknown whether the item was committed; a repeat returns the first
 * outcome.
 */
export async function writeCommit(item: CommitItem): Promise<CommitRow> {
  const written = await commitBatched(item)
  if ('error' in written) throw written.error
  return written.row
}

/** True for an error that leaves open whether the statement was committed. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof AppError ? error.code === 'unavailable' : isDatabaseUnavailable(error)

const COMMIT = statement({
  name: 'agent_commit',
  sql: 'SELECT * FROM agent_commit($1::jsonb, $2) ORDER BY n',
  params: ['jsonb', 'text'],
  columns: {
    n: 'int',
    going: ['on', 'over', 'fenced'],
    variant: ['settled', 'limited', 'expired'],
    outcome: ['done', 'again', 'expired', 'unknown', null],
    charged: 'bigint',
    held: 'bigint',
    limited: 'text?',
    reached: [...LimitSource.options, null],
  },
  isPrepared: true,
})

/**
 * Commits in one statement. When the database refuses it, each item is tried alone, so that only
 * the bad one fails.
 */
async function commitMany(items: CommitItem[]): Promise<Written[]> {
  try {
    return (await commitAll(items)).map((row) => ({ row }))
  } catch (error) {
    if (items.length === 1 || isOutcomeUnknown(error)) throw error
    const results = await Promise.allSettled(items.map((item) => commitAll([item])))
    return results.map((result) =>
      result.status === 'fulfilled' && result.value[0]
        ? { row: result.value[0] }
        : { error: result.status === 'rejected' ? result.reason : error },
    )
  }
}

async function commitAll(items: CommitItem[]): Promise<CommitRow[]> {
  const messages = await Promise.all(items.map(messageOf))
  const sql = messages.find((message) => message !== null)?.sql ?? null
  const json = sanitizeJsonForPostgres(items.map((item, i) => fieldsOf(item, messages[i] ?? null)))
  return runStatement(COMMIT, [json, sql], { shared: true })
}

const messageOf = ({ claim: { jobId, runId }, transition }: CommitItem): Promise<QueueMessage | null> | null =>
  transition.kind === 'release' ? queueMessageFor({ jobId, runId }) : null

/** An item as `agent_commit` reads it. */
const fieldsOf = ({ claim, step, transition }: CommitItem, message: QueueMessage | null) => ({
  job: claim.jobId,
  run: claim.runId,
  fencing_token: claim.fencingToken,
  ...(step && stepFields(step)),
  ...transitionFields(transition),
  ...(message && { message: message.payload }),
})

function stepFields(draft: StepDraft) {
  const { index, kind, name, input, startedAt, settlement } = draft
  return {
    index,
    kind,
    name,
    input,
    started_at: startedAt,
    ...tokensOf(draft),
    ...stepOutcomeFor(draft, 'settled'),
    variants: variantOutcomes(draft),
    ...(settlement && settlementFields(settlement)),
  }
}

const settlementFields = (settlement: SettleRequest) => ({
  hold: settlement.id,
  actual: settlement.actual.toString(),
  extend: settlement.extend ?? false,
  status: settlement.status,
  detail: settlement.detail ?? null,
})

const Tokens = z.object({
  inputTokens: z.int(),
  outputTokens: z.int(),
  cachedTokens: z.int().catch(0),
})

/** The tokens of a step that called the model. */
function tokensOf(draft: StepDraft) {
  const parsed = draft.kind === 'tool' ? null : Tokens.safeParse(stepOutcomeFor(draft, 'settled').output)
  if (!parsed?.success) return {}
  const { inputTokens, outputTokens, cachedTokens } = parsed.data
  return { input_tokens: inputTokens, output_tokens: outputTokens, cached_tokens: cachedTokens }
}

function transitionFields(transition: Transition) {
  const { kind } = transition
  switch (kind) {
    case 'limit':
      return { transition: kind, reached: transition.limit }
    case 'retry':
      return { transition: kind, attempts: transition.attempts }
    case 'pause':
      return { transition: kind, awaiting: transition.awaiting }
    case 'end':
      return {
        transition: kind,
        status_after: transition.status,
        result: transition.result,
        value: transition.value,
        checks: transition.checks,
      }
    case 'judged': {
      const { checks, at, settlement } = transition
      return { transition: 'continue', checks, judged: at, ...settlementFields(settlement) }
    }
    default:
      return { transition: kind }
  }
}

import type { LimitSource } from '../../credits/shape'
import { inAct, runIn } from '../../db'
import { AppError, invalidRequest } from '../../errors'
import { isUuid } from '../../kit/id'
import { statement } from '../../kit/statement'
import type { RaisedLimit, RaiseLimitRequest, RunLimit } from '../shape'
import type { JobCaller } from './answer'
import { checkJobGrants } from './check-grants'
import { jobNotFound, readJobState } from './read-job'

/**
 * The limit of a run by the ledger's: while a run has one of its own, that is what bounds its
 * conversation.
 */
export const limitOf = (limit: LimitSource, hasOwn: boolean): RunLimit =>
  limit === 'conversation' && hasOwn ? 'run' : limit

const RAISE = statement({
  name: 'agent_raise_limit',
  sql: 'SELECT outcome, cap FROM agent_raise_limit($1::uuid, $2::int, $3::bigint, $4::boolean)',
  params: ['uuid', 'int', 'bigint', 'boolean'],
  columns: { outcome: ['raised', 'missing', 'lower'], cap: 'bigint?' },
})

/**
 * Raises what a conversation may spend: one that its limit ended takes turns again. A key raises it
 * up to its own limit per conversation; what the owner allows holds for later turns under any key.
 * Throws `not_found`, `forbidden`, and `invalid_request` for what is no more than now.
 */
export async function raiseLimit(
  { ownerId, grants }: JobCaller,
  jobId: string,
  { capCredits }: RaiseLimitRequest,
): Promise<RaisedLimit> {
  if (!isUuid(jobId)) throw jobNotFound()
  if (grants) {
    checkJobGrants(await readJobState(ownerId, jobId), grants)
    if (BigInt(capCredits) > grants.agentRunBudgetCredits) {
      const message = `This key may spend ${grants.agentRunBudgetCredits} credits per conversation. Its owner can raise the limit at the dashboard.`
      throw new AppError('forbidden', message)
    }
  }
  const [row] = await inAct((tx) => runIn(tx, RAISE, [jobId, ownerId, BigInt(capCredits), grants === null]))
  if (row?.outcome === 'raised') return { jobId, capCredits }
  if (row?.outcome !== 'lower') throw jobNotFound()
  throw invalidRequest([{ path: ['capCredits'], message: `must be more than the ${row.cap} credits it may spend now` }])
}

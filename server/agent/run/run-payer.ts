import type { HoldPayer } from '../../credits/hold-request'
import { runStatement } from '../../db'
import { statement } from '../../kit/statement'
import type { AgentRun } from './state'

const IS_CLAIMED = statement({
  name: 'agent_is_claimed',
  sql: "SELECT EXISTS (SELECT 1 FROM job WHERE id = $1 AND fencing_token = $2 AND status = 'running') AS is",
  params: ['uuid', 'int'],
  columns: { is: 'boolean' },
  isPrepared: true,
})

/** Who pays for a run's steps. A step that waits for credits is given up with its run. */
export const runPayer = ({ ownerId, keyId, customerId, personId, jobId, fencingToken }: AgentRun): HoldPayer => ({
  ownerId,
  keyId,
  jobId,
  ...(customerId !== null && { customerId }),
  ...(personId !== null && { personId }),
  isWanted: async () => (await runStatement(IS_CLAIMED, [jobId, fencingToken]))[0]?.is === true,
})

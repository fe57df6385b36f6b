import { setTimeout as sleep } from 'node:timers/promises'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import { isSummedUpTo } from '../../server/credits/sum-up'
import { bulkQuery } from '../support/bulk-query'
import { fillHistory } from '../support/history'
import { startCheckout } from './checkout'
import { compareSubjects, startGateway } from './measure'
import { QUERY_BODY } from './query-body'
import { formatWhole } from './table'

const RECEIPTS = 2_000_000
const DAYS = 90

/**
 * The billed `/query` of an owner with 2 million receipts against that of an owner without any, in
 * a database of its own on the same server, in turns. Returns a Markdown table.
 */
export async function benchReceipts(): Promise<string> {
  const much = await startGateway()
  try {
    const little = await startCheckout('no receipts before', PROJECT_ROOT, { SANDBOX_URL: much.sandboxUrl })
    try {
      await fillHistory({ ownerId: much.ownerId, keyIds: [much.keyId], count: RECEIPTS, days: DAYS })
      while (!(await isSummedUpTo(new Date(Date.now() - 600_000)))) await sleep(1_000)
      await bulkQuery('VACUUM ANALYZE', [])
      const call = { body: QUERY_BODY }
      return await compareSubjects(
        [
          { ...little, ...call, url: `${little.url}/api/v1/query` },
          { ...much, ...call, name: `${formatWhole(RECEIPTS)} receipts before`, url: `${much.url}/api/v1/query` },
        ],
        'none',
      )
    } finally {
      await little.stop()
    }
  } finally {
    await much.stop()
  }
}

import { statement } from '../kit/statement'
import { readPaced } from './paced-read'
import { HISTORY_CHECKS, HOLD_CHECKS, type LedgerCheck, type LedgerDifference, RETENTION_CHECK } from './verify-checks'
import { findChangedResponses } from './verify-responses'
import { checkRowsInSlices, ROW_CHECKS } from './verify-rows'
import { agreesInSlices } from './verify-slices'

/** Owners that are looked at together, and the rows one of them may have to be among them. */
const OWNERS = 100
const FEW_ROWS = 1_000

type Owner = { id: number; isLarge: boolean }

const PAGE = statement({
  name: 'verify_owners',
  sql: `SELECT o.id,
      EXISTS (SELECT 1 FROM receipt WHERE owner_id = o.id OFFSET ${FEW_ROWS})
      OR EXISTS (SELECT 1 FROM ledger WHERE owner_id = o.id OFFSET ${FEW_ROWS}) AS "isLarge"
    FROM owner o WHERE o.id > $1 ORDER BY o.id LIMIT ${OWNERS}`,
  params: ['int'],
  columns: { id: 'int', isLarge: 'boolean' },
})

async function check(checks: readonly LedgerCheck[], owners: readonly Owner[]): Promise<LedgerDifference[]> {
  const found: LedgerDifference[] = []
  if (owners.length === 0) return found
  for (const one of checks) found.push(...(await readPaced(one, [owners.map(({ id }) => id)])))
  return found
}

async function checkLarge(owner: Owner): Promise<LedgerDifference[]> {
  const found = (await agreesInSlices(owner.id)) ? [] : await check(HISTORY_CHECKS, [owner])
  return [...found, ...(await checkRowsInSlices(owner.id))]
}

/** The differences of some owners. */
export async function checkOwners(owners: readonly Owner[]): Promise<LedgerDifference[]> {
  const small = owners.filter(({ isLarge }) => !isLarge)
  const found = await check([...HISTORY_CHECKS, ...ROW_CHECKS], small)
  for (const owner of owners) if (owner.isLarge) found.push(...(await checkLarge(owner)))
  return [...found, ...(await check(HOLD_CHECKS, owners))]
}

/** All owners, some at a time, with what is found of them. */
export async function* checkedOwners(): AsyncGenerator<{ owners: readonly Owner[]; found: LedgerDifference[] }> {
  for (let last = 0; ; ) {
    const owners = await readPaced(PAGE, [last])
    yield { owners, found: await checkOwners(owners) }
    if (owners.length < OWNERS) return
    last = owners.at(-1)?.id ?? last
  }
}

/**
 * Recomputes every balance, key spend, spend limit, hold sum, receipt and daily sum from the
 * ledger, and compares what rows say of each other, some owners at a time, on the read pool. Empty:
 * all agree. Owners with much history are summed in slices, and only where those disagree in one
 * statement: so a difference is never the movement of a busy owner.
 */
export async function findLedgerDifferences(): Promise<LedgerDifference[]> {
  const all = [...(await readPaced(RETENTION_CHECK, [])), ...(await findChangedResponses())]
  for await (const { found } of checkedOwners()) all.push(...found)
  return all
}

import { RECEIPTS_CSV } from '../../api/receipts-csv'
import { listReceipts } from '../../credits/receipts'
import type { CallReceipt } from '../../credits/shape'
import { type AdminCommand, ownerOption } from './options'

/** Every receipt of an owner, newest first. */
async function everyReceipt(ownerId: number): Promise<CallReceipt[]> {
  const rows: CallReceipt[] = []
  let cursor: string | undefined
  do {
    const page = await listReceipts(ownerId, { limit: 100, cursor })
    rows.push(...page.rows)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return rows
}

export const usageCommand: AdminCommand = {
  name: 'usage',
  usage: '--email E [--csv]',
  options: { email: { type: 'string' }, csv: { type: 'boolean' } },
  run: async (options) => {
    const owner = await ownerOption(options)
    const rows = await everyReceipt(owner.id)
    const delimiter = options.csv === true ? ',' : '\t'
    const text = `${RECEIPTS_CSV.header(delimiter)}${RECEIPTS_CSV.lines(rows, delimiter)}`.trimEnd()
    const charged = rows.reduce((sum, r) => sum + r.credits.charged, 0)
    return { data: { email: owner.email, calls: rows.length, charged, rows }, text }
  },
}

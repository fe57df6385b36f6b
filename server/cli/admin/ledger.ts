import { findLedgerDifferences } from '../../credits/verify'
import type { AdminCommand } from './options'

export const ledgerVerifyCommand: AdminCommand = {
  name: 'ledger verify',
  usage: '',
  options: {},
  run: async () => {
    const differences = await findLedgerDifferences()
    const rows = differences.map((d) => `${d.what} ${d.id}: stored ${d.stored}, computed ${d.computed}`)
    const ok = differences.length === 0
    return {
      data: { ok, differences },
      text: ok
        ? 'Every balance, key, spend limit, hold, receipt and daily sum follows from the ledger'
        : rows.join('\n'),
      failed: !ok,
    }
  },
}

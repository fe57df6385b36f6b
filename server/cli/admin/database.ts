import type { AdminCommand } from './options'

export const databaseUpgradeCommand: AdminCommand = {
  name: 'database upgrade',
  usage: '(converts the embedded database to the PostgreSQL of this version; the old folder is kept)',
  options: {},
  needsNothing: true,
  run: async () => {
    const [{ upgradeEmbedded }, { makeProgress }] = await Promise.all([
      import('../backup/upgrade-embedded'),
      import('../backup/progress'),
    ])
    const upgraded = await upgradeEmbedded('pg', makeProgress())
    if (upgraded === null) return { data: { upgraded: false }, text: 'There is nothing to convert' }
    const { from, to, rows, kept, voidedHolds } = upgraded
    const text = `PostgreSQL ${from} to ${to}: ${rows} rows, and the ledger is verified.\nThe old folder is ${kept}: delete it when all is well.`
    return { data: { upgraded: true, from, to, rows, voidedHolds, kept }, text }
  },
}

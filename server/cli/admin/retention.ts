import { previewRetention, type RetentionCounts, runRetention } from '../kit/retention'
import type { AdminCommand } from './options'

const tableOf = (rows: RetentionCounts, head: string): string =>
  [head, ...rows.map(({ name, count }) => `  ${String(count).padStart(9)}  ${name}`)].join('\n')

export const retentionCommand: AdminCommand = {
  name: 'retention',
  usage: '[--dry-run]',
  options: { 'dry-run': { type: 'boolean' } },
  run: async (options) => {
    const dryRun = options['dry-run'] === true
    const rows = dryRun ? await previewRetention() : await runRetention()
    return { data: { dryRun, rows }, text: tableOf(rows, dryRun ? 'A run would delete' : 'Deleted') }
  },
}

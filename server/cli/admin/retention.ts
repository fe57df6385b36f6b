import { type Deleted, previewRetention, runRetention } from '../retention'
import type { Command } from './options'

const tableOf = (rows: Deleted, head: string): string =>
  [head, ...rows.map(({ name, count }) => `  ${String(count).padStart(9)}  ${name}`)].join('\n')

export const retention: Command = {
  name: 'retention',
  usage: '[--dry-run]',
  options: { 'dry-run': { type: 'boolean' } },
  run: async (options) => {
    const dryRun = options['dry-run'] === true
    const rows = dryRun ? await previewRetention() : await runRetention()
    return { data: { dryRun, rows }, text: tableOf(rows, dryRun ? 'A run would delete' : 'Deleted') }
  },
}

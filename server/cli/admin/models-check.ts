import { readModelEntries } from '../../models/registry'
import { checkModel, type UpstreamCheck } from './check-model'
import { type AdminCommand, CommandError } from './options'

const MARKS = { ok: '✓', failed: '✗', skipped: '–' } as const

const dollars = (usd: number) => `$${Number(usd.toFixed(6))}`

const lineOf = ({ id, api, baseUrl, outcome, text, usd }: UpstreamCheck) =>
  `${MARKS[outcome]} ${id} (${api} at ${baseUrl}): ${text}${usd > 0 ? `, ${dollars(usd)}` : ''}`

export const modelsCheckCommand: AdminCommand = {
  name: 'models check',
  usage:
    '[--id MODEL] [--probe]   (makes one small call at every upstream of MODELS_FILE; with --probe six more, for what a chat model takes)',
  options: { id: { type: 'string' }, probe: { type: 'boolean' } },
  run: async ({ id, probe }) => {
    const entries = readModelEntries().filter((entry) => id === undefined || entry.id === id)
    if (entries.length === 0)
      throw new CommandError(id === undefined ? 'MODELS_FILE names no models.' : `MODELS_FILE has no model ${id}.`)
    const checks: UpstreamCheck[] = []
    // One after another: providers limit calls at a time.
    for (const entry of entries) checks.push(...(await checkModel(entry, { probes: probe === true })))
    const failed = checks.filter(({ outcome }) => outcome === 'failed').length
    const usd = checks.reduce((sum, check) => sum + check.usd, 0)
    const sum = `${checks.length - failed} of ${checks.length} upstreams can be used; the calls cost ${dollars(usd)}`
    return {
      data: { ok: failed === 0, usd, checks },
      text: [...checks.map(lineOf), sum].join('\n'),
      failed: failed > 0,
    }
  },
}

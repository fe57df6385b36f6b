import { writeFileSync } from 'node:fs'
import { type ImportedModels, importModelLists } from '../../models/import'
import { parseModelEntries } from '../../models/registry'
import { type AdminCommand, CommandError, type CommandOptions, textOption } from './options'

const string = { type: 'string' } as const

/**
 * The variable that has the provider's key, from its host: `openrouter.ai` → OPENROUTER_API_KEY;
 * null for an address.
 */
function keyNameFor({ hostname }: URL): string | null {
  const labels = hostname.split('.')
  if (labels.length < 2 || /^[\d.]+$|:/.test(hostname)) return null
  return `${labels
    .at(-2)
    ?.toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '_')}_API_KEY`
}

function baseUrlOf(options: CommandOptions): URL {
  const from = textOption(options, 'from').replace(/\/+$/, '')
  if (!URL.canParse(from) || !/^https?:/.test(from)) throw new CommandError('--from must be an http(s) URL.')
  return new URL(from)
}

function markupOf({ markup = '1' }: CommandOptions): number {
  const factor = Number(markup)
  if (markup === '' || !(factor > 0 && factor <= 100))
    throw new CommandError('--markup must be a number above 0, at most 100.')
  return factor
}

const reportSkipped = ({ skipped, notes }: ImportedModels): string[] => [
  ...notes.map(({ id, note }) => `  ${id}: ${note}`),
  ...skipped.map(({ id, why }) => `  left out ${id}: ${why}`),
]

export const modelsImportCommand: AdminCommand = {
  name: 'models import',
  usage: '--from <base URL> [--out FILE] [--markup N] [--key-env NAME]',
  options: { from: string, out: string, markup: string, 'key-env': string },
  run: async (options) => {
    const url = baseUrlOf(options)
    const given = options['key-env']
    const apiKeyEnv = typeof given === 'string' ? given || null : keyNameFor(url)
    const baseUrl = url.href.replace(/\/+$/, '')
    const imported = await importModelLists({ baseUrl, apiKeyEnv, markup: markupOf(options) })
    const file = `${JSON.stringify(imported.models, null, 2)}\n`
    parseModelEntries(JSON.parse(file))
    const { out } = options
    const report = reportSkipped(imported)
    if (typeof out !== 'string') {
      for (const line of report) process.stderr.write(`${line.trim()}\n`)
      return { data: { apiKeyEnv, ...imported }, text: file.trimEnd() }
    }
    writeFileSync(out, file)
    const key = apiKeyEnv ? `; set ${apiKeyEnv} and MODELS_FILE=${out}` : `; set MODELS_FILE=${out}`
    const count = imported.models.length
    return {
      data: { file: out, count, apiKeyEnv, skipped: imported.skipped, notes: imported.notes },
      text: [`${count} model${count === 1 ? '' : 's'} written to ${out}${key}`, ...report].join('\n'),
    }
  },
}

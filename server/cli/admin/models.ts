import { writeFileSync } from 'node:fs'
import { withoutTrailingSlashes } from '../../kit/trailing-slashes'
import { type ImportedModels, importModelLists } from '../../models/import'
import { parseModelEntries } from '../../models/registry'
import { apiKeyEnvOption, baseUrlOption, priceOption, providerOf } from './model-options'
import { type AdminCommand, CommandError, type CommandOptions, integerOption } from './options'

const string = { type: 'string' } as const

function markupOf({ markup = '1' }: CommandOptions): number {
  const factor = Number(markup)
  if (markup === '' || !(factor > 0 && factor <= 100))
    throw new CommandError('--markup must be a number above 0, at most 100.')
  return factor
}

function contextOption(options: CommandOptions): number | undefined {
  const tokens = integerOption(options, 'assume-context')
  if (tokens !== undefined && tokens < 1) throw new CommandError('--assume-context must be at least 1.')
  return tokens
}

const reportSkipped = ({ skipped, notes }: ImportedModels): string[] => [
  ...notes.map(({ id, note }) => `  ${id}: ${note}`),
  ...skipped.map(({ id, why }) => `  left out ${id}: ${why}`),
]

export const modelsImportCommand: AdminCommand = {
  name: 'models import',
  usage:
    '--from <base URL> [--out FILE] [--markup N] [--key-env NAME] [--provider NAME] [--assume-context N] [--assume-price IN/OUT]',
  options: {
    from: string,
    out: string,
    markup: string,
    'key-env': string,
    provider: string,
    'assume-context': string,
    'assume-price': string,
  },
  run: async (options) => {
    const url = baseUrlOption(options)
    const apiKeyEnv = apiKeyEnvOption(options, url)
    const baseUrl = withoutTrailingSlashes(url.href)
    const imported = await importModelLists({
      baseUrl,
      apiKeyEnv,
      markup: markupOf(options),
      assumed: {
        provider: providerOf(options, url),
        contextSize: contextOption(options),
        prices: priceOption(options, 'assume-price'),
      },
    })
    if (imported.models.length === 0)
      throw new CommandError(['No model can be used:', ...reportSkipped(imported)].join('\n'))
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

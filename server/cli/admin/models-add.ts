import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { env, secretFromEnv } from '../../env'
import { withoutTrailingSlashes } from '../../kit/trailing-slashes'
import { findKnownModel } from '../../models/known-models'
import { parseModelEntries } from '../../models/registry'
import { newModelsFile } from '../kit/config-folder'
import { apiKeyEnvOption, baseUrlOption, priceOption } from './model-options'
import { type AdminCommand, CommandError, type CommandOptions, integerOption, textOption } from './options'

const string = { type: 'string' } as const

/** The entries of a file as they are; none where the file does not exist. */
function entriesIn(file: string): { id: string }[] {
  if (!existsSync(file)) return []
  try {
    const raw: unknown = JSON.parse(readFileSync(file, 'utf8'))
    parseModelEntries(raw)
    return raw as { id: string }[]
  } catch (error) {
    throw new CommandError(`${file} cannot be added to: ${(error as Error).message}`)
  }
}

/** An entry from the options; what they leave out comes from the table of well-known models. */
function entryFrom(options: CommandOptions) {
  const url = baseUrlOption(options)
  const id = textOption(options, 'id')
  const model = typeof options.model === 'string' ? options.model : id.slice(id.indexOf('/') + 1)
  const known = findKnownModel(model)
  const context = integerOption(options, 'context') ?? known?.contextSize
  if (context === undefined) throw new CommandError(`--context is missing: the context of ${id} is not known.`)
  const price = priceOption(options, 'price')
  if (!price && !known) throw new CommandError(`--price is missing: the price of ${id} is not known.`)
  const kind = known?.kind ?? (options.api === 'embeddings' ? 'embedding' : 'chat')
  const cached = price ? undefined : known?.usdPer1mCachedInput
  return {
    id,
    name: typeof options.name === 'string' ? options.name : model,
    provider: id.slice(0, id.indexOf('/')),
    kind,
    contextSize: context,
    maxOutput: kind === 'embedding' ? 0 : (integerOption(options, 'max-output') ?? known?.maxOutput ?? context),
    usdPer1mInput: price?.input ?? known?.usdPer1mInput,
    usdPer1mOutput: price?.output ?? known?.usdPer1mOutput,
    ...(cached !== undefined && { usdPer1mCachedInput: cached }),
    vision: options.vision === true || known?.vision === true,
    upstreams: [
      {
        api: typeof options.api === 'string' ? options.api : kind === 'embedding' ? 'embeddings' : 'chat',
        baseUrl: withoutTrailingSlashes(url.href),
        apiKeyEnv: apiKeyEnvOption(options, url),
        model,
      },
    ],
  }
}

export const modelsAddCommand: AdminCommand = {
  name: 'models add',
  usage:
    '--id <provider>/<model> --from <base URL> [--context N] [--price IN/OUT] [--max-output N] [--model NAME] [--name TEXT] [--api chat|responses|messages|embeddings] [--vision] [--key-env NAME] [--file FILE]',
  options: {
    id: string,
    from: string,
    context: string,
    price: string,
    'max-output': string,
    model: string,
    name: string,
    api: string,
    vision: { type: 'boolean' },
    'key-env': string,
    file: string,
  },
  run: async (options) => {
    const entry = entryFrom(options)
    const file = typeof options.file === 'string' ? options.file : (env().MODELS_FILE ?? newModelsFile())
    const others = entriesIn(file)
    const kept = others.filter(({ id }) => id !== entry.id)
    const models = [...kept, entry]
    parseModelEntries(JSON.parse(JSON.stringify(models)))
    writeFileSync(file, `${JSON.stringify(models, null, 2)}\n`)
    const verb = kept.length < others.length ? 'replaced in' : 'added to'
    const { apiKeyEnv } = entry.upstreams[0] ?? {}
    const next = apiKeyEnv && !secretFromEnv(apiKeyEnv) ? `; set ${apiKeyEnv}` : ''
    return { data: { file, entry, replaced: verb === 'replaced in' }, text: `${entry.id} ${verb} ${file}${next}` }
  },
}

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { creditsForUsd } from '../credits/price'
import { EnvError, env, exitOnEnvError, secretFromEnv } from '../env'
import { lazy } from '../kit/lazy'
import { sandboxModels } from './sandbox-models'
import { type CatalogModel, type ListedModel, type Model, ModelEntry } from './shape'

const DEFAULT_MAX_OUTPUT = 16_384

type Listing = { all: readonly Model[]; byId: ReadonlyMap<string, Model> }

const listing = lazy<Listing>(() => {
  const all = readEntries()
    .map(toModel)
    .filter(({ upstreams }) => upstreams.length > 0)
  return { all, byId: new Map(all.map((model) => [model.id, model])) }
})

/** Every model that can be called here, of all kinds, in the file's order. */
export const allModels = (): readonly Model[] => listing().all

export const findModel = (id: string): Model | undefined => listing().byId.get(id)

/** The models that chat and agents take. */
export const chatModels = (): readonly Model[] => allModels().filter(({ kind }) => kind === 'chat')

/** Reads the registry at start. An invalid file stops the process, with a line per mistake. */
export const checkModels = (): void => void exitOnEnvError(listing)

/** The entries of MODELS_FILE; without one the simulated models in sandbox mode, and none live. */
function readEntries(): ModelEntry[] {
  const { MODELS_FILE, sandbox, SANDBOX_URL } = env()
  if (!MODELS_FILE) return sandbox ? parseModelEntries(sandboxModels(`${SANDBOX_URL}/llm/v1`)) : []
  return parseModelEntries(readJsonFile(MODELS_FILE))
}

function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const why = error instanceof SyntaxError ? 'is not valid JSON' : 'cannot be read'
    const message = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error)
    throw new EnvError([`MODELS_FILE ${why}: ${message}`])
  }
}

/** Checks registry entries. Throws an EnvError that names each wrong entry and field. */
export function parseModelEntries(raw: unknown): ModelEntry[] {
  const parsed = z.array(ModelEntry, 'must be a JSON array of models').safeParse(raw)
  if (!parsed.success)
    throw new EnvError(parsed.error.issues.map((issue) => `MODELS_FILE ${placeOf(issue.path, raw)}${issue.message}`))
  const seen = new Set<string>()
  for (const { id } of parsed.data) {
    if (seen.has(id)) throw new EnvError([`MODELS_FILE ${id}: the id is used twice`])
    seen.add(id)
  }
  return parsed.data
}

/** `entry 3 (provider/name), upstreams.0.baseUrl: `, from an issue's path. */
function placeOf([index, ...field]: readonly PropertyKey[], raw: unknown): string {
  if (typeof index !== 'number') return ''
  const id = (raw as { id?: unknown }[])[index]?.id
  const entry = `entry ${index + 1}${typeof id === 'string' ? ` (${id})` : ''}`
  return `${[entry, field.map(String).join('.')].filter(Boolean).join(', ')}: `
}

function toModel(entry: ModelEntry): Model {
  const { usdPer1mCachedInput, usdPer1mCacheWrite } = entry
  return {
    ...entry,
    defaultMaxOutput: entry.defaultMaxOutput ?? DEFAULT_MAX_OUTPUT,
    creditsPer1mInput: creditsForUsd(entry.usdPer1mInput),
    creditsPer1mOutput: creditsForUsd(entry.usdPer1mOutput),
    ...(usdPer1mCachedInput !== undefined && { creditsPer1mCachedInput: creditsForUsd(usdPer1mCachedInput) }),
    ...(usdPer1mCacheWrite !== undefined && { creditsPer1mCacheWrite: creditsForUsd(usdPer1mCacheWrite) }),
    upstreams: entry.upstreams.filter(({ apiKeyEnv }) => apiKeyEnv === null || secretFromEnv(apiKeyEnv) !== undefined),
  }
}

/** A model as the catalog lists it. */
export const describeModel = (model: Model): CatalogModel => ({
  id: model.id,
  name: model.name,
  provider: model.provider,
  contextSize: model.contextSize,
  creditsPer1mInput: Number(model.creditsPer1mInput),
  creditsPer1mOutput: Number(model.creditsPer1mOutput),
  vision: model.vision,
})

/** A model as `/models` lists it. The registry has no dates, so `created` is 0. */
export const listModel = (model: Model): ListedModel => ({
  id: model.id,
  object: 'model',
  created: 0,
  owned_by: model.id.slice(0, model.id.indexOf('/')),
  name: model.name,
  kind: model.kind,
  context_length: model.contextSize,
  max_output: model.maxOutput,
  vision: model.vision,
  pricing: { input: Number(model.creditsPer1mInput), output: Number(model.creditsPer1mOutput) },
})

import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import { creditsForUsd } from '../credits/price'
import { EnvError, env, exitOnEnvError, isSimulated, secretFromEnv } from '../env'
import { MODELS_PROVIDER } from '../env/providers'
import { lazy } from '../kit/lazy'
import { log } from '../kit/log'
import { sandboxModels } from './sandbox-models'
import { type CatalogModel, type Model, ModelEntry } from './shape'

const DEFAULT_MAX_OUTPUT = 16_384

/** The date of the simulated models, in seconds since 1970. */
const SANDBOX_DATE = Date.UTC(2026, 0, 1) / 1000

type Listing = { all: readonly Model[]; byId: ReadonlyMap<string, Model> }

const listing = lazy<Listing>(() => {
  const entries = readModelEntries()
  const all = entries.map(modelFromEntry).filter(({ upstreams }) => upstreams.length > 0)
  return { all, byId: new Map(all.flatMap((model) => namesOf(model).map((name) => [name, model]))) }
})

/** Every model that can be called here, of all kinds, in the file's order. */
export const allModels = (): readonly Model[] => listing().all

/** The model with an id, or with an alias that is the same. */
export const findModel = (id: string): Model | undefined => listing().byId.get(id)

/** The models that chat and agents take. */
export const chatModels = (): readonly Model[] => allModels().filter(({ kind }) => kind === 'chat')

/**
 * Reads the registry at start. An invalid file stops the process, with a line per mistake; models
 * without an upstream whose key is set are named in the log.
 */
export function checkModels(): void {
  exitOnEnvError(listing)
  const off = readModelEntries().filter(({ id }) => !findModel(id))
  const unset = new Set(off.flatMap(({ upstreams }) => upstreams.map(({ apiKeyEnv }) => apiKeyEnv)))
  if (off.length > 0)
    log.warn({ models: off.map(({ id }) => id), unset: [...unset] }, 'models are not offered: no key is set')
}

const provided = { text: null as string | null }

/**
 * Has the registry read this text instead of MODELS_FILE: what the launcher read, so that all of
 * its processes have the same, whatever the file says by now.
 */
export const provideModels = (text: string): void => {
  provided.text = text
}

/** The text that was provided, for a process that this one starts; null without one. */
export const providedModels = (): string | null => provided.text

/**
 * The entries of MODELS_FILE, also those whose key is not set; without one the simulated models, or
 * none where models are real. Throws an EnvError.
 */
export function readModelEntries(): ModelEntry[] {
  const file = modelsFile()
  if (file) return parseModelEntries(readJsonFile(file))
  return isSimulated(MODELS_PROVIDER) ? parseModelEntries(sandboxModels(`${env().SANDBOX_URL}/llm/v1`)) : []
}

/** Undefined also in live mode where the models are simulated. */
function modelsFile(): string | undefined {
  const { MODELS_FILE, UPSTREAMS } = env()
  return UPSTREAMS === 'live' && isSimulated(MODELS_PROVIDER) ? undefined : MODELS_FILE
}

/** The date of models whose entry has none, in seconds since 1970: that of the registry's file. */
export const registryDate = lazy((): number => {
  const file = modelsFile()
  return file ? Math.max(1, Math.floor(statSync(file).mtimeMs / 1000)) : SANDBOX_DATE
})

function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(provided.text ?? readFileSync(file, 'utf8'))
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
  for (const name of parsed.data.flatMap(namesOf)) {
    if (seen.has(name)) throw new EnvError([`MODELS_FILE ${name}: the id is used twice`])
    seen.add(name)
  }
  return parsed.data
}

/** Every id that requests may name a model by. */
const namesOf = ({ id, aliases = [] }: Pick<ModelEntry, 'id' | 'aliases'>): string[] => [id, ...aliases]

/** `entry 3 (provider/name), upstreams.0.baseUrl: `, from an issue's path. */
function placeOf([index, ...field]: readonly PropertyKey[], raw: unknown): string {
  if (typeof index !== 'number') return ''
  const id = (raw as { id?: unknown }[])[index]?.id
  const entry = `entry ${index + 1}${typeof id === 'string' ? ` (${id})` : ''}`
  return `${[entry, field.map(String).join('.')].filter(Boolean).join(', ')}: `
}

/** An entry with its prices in credits, and only the upstreams whose key is set. */
export function modelFromEntry(entry: ModelEntry): Model {
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
  simulated: model.upstreams.some(({ baseUrl }) => baseUrl.startsWith(`${env().SANDBOX_URL}/`)),
})

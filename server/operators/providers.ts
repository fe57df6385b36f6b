import { env, isSimulated, secretFromEnv } from '../env'
import type { ReadOptions } from '../kit/pg-read'
import { modelFromEntry, readModelEntries } from '../models/registry'
import type { ModelEntry } from '../models/shape'
import type { ToolGroup } from '../tools/define'
import { toolGroups } from '../tools/registry'
import { type LastHour, readLastHour } from './health'
import type { ModelState, ProvidersView, ProviderView } from './state-views'

/** The variables of a group that have no value. */
function unsetVariables({ settings }: ToolGroup): string[] {
  if (!settings) return []
  const values: Record<string, unknown> = settings()
  return Object.keys(settings.schema.shape).filter((name) => values[name] === undefined)
}

function viewProvider(group: ToolGroup, lastHour: LastHour): ProviderView {
  const id = group.settings?.provider ?? group.id
  const ids = (isOffered: boolean) =>
    group.tools.filter((tool) => tool.available() === isOffered).map((tool) => tool.id)
  const missing = ids(false)
  return {
    id,
    label: group.label,
    source: group.provider,
    mode: isSimulated(id) ? 'sandbox' : 'live',
    offered: ids(true),
    missing,
    unset: missing.length > 0 ? unsetVariables(group) : [],
    health: lastHour.of(group.tools.map((tool) => tool.id)),
  }
}

function viewModel(entry: ModelEntry, lastHour: LastHour): ModelState {
  const model = modelFromEntry(entry)
  return {
    id: entry.id,
    name: entry.name,
    kind: entry.kind,
    usdPer1mInput: entry.usdPer1mInput,
    usdPer1mOutput: entry.usdPer1mOutput,
    creditsPer1mInput: Number(model.creditsPer1mInput),
    creditsPer1mOutput: Number(model.creditsPer1mOutput),
    upstreams: entry.upstreams.map(({ baseUrl, api, model: upstreamModel, apiKeyEnv }) => ({
      host: new URL(baseUrl).host,
      api,
      model: upstreamModel,
      keyVariable: apiKeyEnv,
      isConfigured: apiKeyEnv === null || secretFromEnv(apiKeyEnv) !== undefined,
    })),
    health: lastHour.of([entry.id]),
  }
}

/**
 * Who answers calls here: providers of tools and models, what of them is not configured, by the
 * names of variables and never their values, and how the calls of the last hour went.
 */
export async function readProviders(options?: ReadOptions): Promise<ProvidersView> {
  const lastHour = await readLastHour(options)
  return {
    mode: env().mode,
    modelsFile: env().MODELS_FILE ?? null,
    isCut: lastHour.isCut,
    providers: toolGroups.filter(({ settings }) => settings).map((group) => viewProvider(group, lastHour)),
    models: readModelEntries().map((entry) => viewModel(entry, lastHour)),
  }
}

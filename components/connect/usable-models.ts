import type { KeyView } from '@/server/keys/shape'
import type { OfferedModel } from '@/server/models/shape'
import type { Recipe } from './recipe'

export type ConnectModel = Pick<OfferedModel, 'id' | 'name' | 'provider' | 'kind' | 'creditsPer1mOutput'>

/** A key that a recipe is written for. */
export type ConnectKey = Pick<KeyView, 'id' | 'name' | 'last4' | 'llm' | 'allowedModels' | 'tools'>

/** Whether a recipe works here with a key, and with which models. */
export type RecipeModels =
  | { kind: 'usable'; models: readonly ConnectModel[] }
  | { kind: 'no-models' }
  | { kind: 'no-access' }
  | { kind: 'none-allowed' }
  | { kind: 'no-tools' }

/** The models that a recipe can name. `key` null: any key of the owner. */
export function usableModels(
  { needs }: Pick<Recipe, 'needs'>,
  models: readonly ConnectModel[],
  key: Pick<ConnectKey, 'llm' | 'allowedModels' | 'tools'> | null,
): RecipeModels {
  if (needs === 'tools') return key?.tools.length === 0 ? { kind: 'no-tools' } : { kind: 'usable', models: [] }
  const offered = models.filter(({ kind }) => kind === needs)
  if (offered.length === 0) return { kind: 'no-models' }
  if (!key) return { kind: 'usable', models: offered }
  if (!key.llm) return { kind: 'no-access' }
  const allowed = offered.filter(({ id }) => key.allowedModels.length === 0 || key.allowedModels.includes(id))
  return allowed.length === 0 ? { kind: 'none-allowed' } : { kind: 'usable', models: allowed }
}

const providerOf = (id: string) => id.slice(0, id.indexOf('/'))

/** The model for short tasks beside another: the cheapest of the same provider. */
export function smallModelFor(model: ConnectModel, models: readonly ConnectModel[]): ConnectModel {
  const siblings = models.filter(({ id }) => providerOf(id) === providerOf(model.id))
  return siblings.reduce((min, one) => (one.creditsPer1mOutput < min.creditsPer1mOutput ? one : min), model)
}

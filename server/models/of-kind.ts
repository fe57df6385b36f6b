import { AppError } from '../errors'
import { allModels, findModel } from './registry'
import type { Model, ModelKind } from './shape'

/** What models of a kind do, as a sentence about them goes on. */
const DOES: Record<ModelKind, { one: string; many: string; none: string }> = {
  chat: { one: 'cannot chat', many: 'These chat', none: 'No model here chats' },
  embedding: { one: 'makes no embeddings', many: 'These make embeddings', none: 'No model here makes embeddings' },
  image: { one: 'makes no images', many: 'These make images', none: 'No model here makes images' },
  video: { one: 'makes no videos', many: 'These make videos', none: 'No model here makes videos' },
}

/**
 * The model of a kind that a request names; without a name the first one. Throws `unknown_model`,
 * whose message names those that would do.
 */
export function modelOfKind(kind: ModelKind, id?: string): Model {
  const models = allModels().filter((model) => model.kind === kind)
  const model = id === undefined ? models[0] : models.find((each) => each.id === id || each.aliases?.includes(id))
  if (model) return model
  const { one, many, none } = DOES[kind]
  const other = id === undefined ? undefined : findModel(id)
  const why =
    id === undefined ? '' : other ? `${id} is a model for ${other.kind} and ${one}. ` : `There is no model "${id}". `
  const those = models.length > 0 ? `${many}: ${models.map((each) => each.id).join(', ')}.` : `${none}.`
  throw new AppError('unknown_model', `${why}${those}`, { detail: { param: 'model' } })
}

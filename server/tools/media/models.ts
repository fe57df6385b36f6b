import { AppError } from '../../errors'
import { allModels, findModel } from '../../models/registry'
import type { ImagePrices, Model, VideoPrices } from '../../models/shape'

export type ImageModel = Model & { image: ImagePrices }
export type VideoModel = Model & { video: VideoPrices }

/** The registry's models for images, and for videos, in its order: the first one is the default. */
export const imageModels = (): ImageModel[] => allModels().filter((m): m is ImageModel => m.image !== undefined)
export const videoModels = (): VideoModel[] => allModels().filter((m): m is VideoModel => m.video !== undefined)

/**
 * The chat model that analyzes images: the registry's first with vision, so its order is the
 * operator's choice.
 */
export const visionModel = (): Model | undefined => allModels().find(({ kind, vision }) => kind === 'chat' && vision)

/**
 * The model a caller named, else the first. Throws `unknown_model` with the models that can be
 * used.
 */
export function pickMediaModel<T extends Model>(models: readonly T[], id: string | undefined, makes: string): T {
  const model = id === undefined ? models[0] : models.find((one) => one.id === id || one.aliases?.includes(id))
  if (model) return model
  const other = id === undefined ? undefined : findModel(id)
  const why = other ? `${other.id} is a model for ${other.kind}, it makes no ${makes}.` : `There is no model "${id}".`
  throw new AppError('unknown_model', `${why} These make ${makes}: ${models.map((one) => one.id).join(', ')}.`, {
    detail: { issues: [{ path: 'params.model', message: `must name a model that makes ${makes}` }] },
  })
}

import { creditsForUsd } from '../../credits/price'
import { describeModel } from '../registry'
import type { Model, OfferedModel } from '../shape'
import { supportedEfforts, supportedParameters } from './supported'

const credits = (usd: number) => Number(creditsForUsd(usd))

function offerImages({ image }: Model): OfferedModel['image'] {
  if (!image) return null
  const { usdPerImage, ...options } = image
  return { ...options, creditsPerImage: credits(usdPerImage) }
}

function offerVideos({ video }: Model): OfferedModel['video'] {
  if (!video) return null
  const { usdPerSecond, ...options } = video
  const prices = options.resolutions.map((name) => [name, credits(usdPerSecond[name] ?? 0)] as const)
  return { ...options, creditsPerSecond: Object.fromEntries(prices) }
}

/** A model as the dashboard shows it: every price in credits, rounded up as charges are. */
export const offerModel = (model: Model): OfferedModel => ({
  ...describeModel(model),
  kind: model.kind,
  maxOutput: model.maxOutput,
  aliases: model.aliases ?? [],
  parameters: supportedParameters(model) ?? null,
  efforts: supportedEfforts(model)?.slice() ?? null,
  image: offerImages(model),
  video: offerVideos(model),
})

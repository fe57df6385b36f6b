import type { ImagePrices } from '../../models/shape'

/** The aspect ratios a caller may ask for, width to height. */
export const ASPECT_RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'] as const
export type AspectRatio = (typeof ASPECT_RATIOS)[number]

/**
 * How far a size may differ from a named ratio and still get its name: models make steps of 8 to 64
 * pixels.
 */
const TOLERANCE = 0.03

const proportion = (ratio: string): number => {
  const [width = 1, height = 1] = ratio.split(':').map(Number)
  return width / height
}

const distance = (a: number, b: number): number => Math.abs(Math.log(a / b))

/** The item with the nearest proportion; of two equally near ones the first. */
function nearestBy<T>(items: readonly T[], shapeOf: (item: T) => number, wanted: number): T | undefined {
  const ranked = items.map((item) => ({ item, off: distance(shapeOf(item), wanted) }))
  return ranked.sort((a, b) => a.off - b.off)[0]?.item
}

/** The offered ratio nearest to the wanted one. */
export const nearestRatio = (offered: readonly string[], wanted: string): string =>
  offered.includes(wanted) ? wanted : (nearestBy(offered, proportion, proportion(wanted)) ?? wanted)

export type PixelSize = { width: number; height: number }

/** `1536x1024` as numbers; null for a size without pixels, such as `auto`. */
export function parsePixelSize(text: string): PixelSize | null {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(text) ?? []
  return Number(width) > 0 && Number(height) > 0 ? { width: Number(width), height: Number(height) } : null
}

/** The name of a size's ratio: a named one where it is near, else the reduced proportion. */
export function ratioName({ width, height }: PixelSize): string {
  const named = nearestBy(ASPECT_RATIOS, proportion, width / height)
  if (named && distance(proportion(named), width / height) <= TOLERANCE) return named
  const divisor = greatestCommonDivisor(width, height)
  return `${width / divisor}:${height / divisor}`
}

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b))

/**
 * What an image model is asked for: an aspect ratio, and the size in pixels where it makes only
 * certain ones.
 */
export type ImageShape = { ratio: string; size: PixelSize | null }

/**
 * The shape nearest to a wanted ratio. A model with a fixed list of sizes makes one of these (of
 * 1:1, 3:2 and 2:3, every wide ratio becomes 3:2), one with a list of ratios one of those, and any
 * other model what was asked for.
 */
export function fitImageShape({ sizes = [], ratios = [] }: ImagePrices, wanted: AspectRatio): ImageShape {
  const pixels = sizes.flatMap((text) => parsePixelSize(text) ?? [])
  const size = nearestBy(pixels, ({ width, height }) => width / height, proportion(wanted))
  if (size) return { ratio: ratioName(size), size }
  return { ratio: ratios.length > 0 ? nearestRatio(ratios, wanted) : wanted, size: null }
}

/** The size of a ratio whose shorter side is given, in steps that every encoder takes. */
export function sizeOfRatio(ratio: string, shorter: number): PixelSize {
  const shape = proportion(ratio)
  const longer = 2 * Math.round((shorter * Math.max(shape, 1 / shape)) / 2)
  return shape >= 1 ? { width: longer, height: shorter } : { width: shorter, height: longer }
}

/**
 * The shape nearest to a wanted size in pixels: the engine's own size that is closest in shape, and
 * of these in area; of an engine with ratios, or free of both, the nearest ratio that has a name.
 */
export function fitImageSize(prices: ImagePrices, wanted: PixelSize): ImageShape {
  const pixels = (prices.sizes ?? []).flatMap((text) => parsePixelSize(text) ?? [])
  const area = ({ width, height }: PixelSize) => Math.log(width * height)
  const byArea = pixels.sort((a, b) => Math.abs(area(a) - area(wanted)) - Math.abs(area(b) - area(wanted)))
  const size = nearestBy(byArea, ({ width, height }) => width / height, wanted.width / wanted.height)
  if (size) return { ratio: ratioName(size), size }
  const named = nearestBy(ASPECT_RATIOS, proportion, wanted.width / wanted.height) ?? '1:1'
  return fitImageShape(prices, named)
}

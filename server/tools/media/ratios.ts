import type { ImagePrices } from '../../models/shape'

/** The shapes a caller may ask for, width to height. */
export const ASPECT_RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'] as const
export type AspectRatio = (typeof ASPECT_RATIOS)[number]

/** How far an engine's pixels may be off a named shape and still bear its name: they come in steps of 8 to 64. */
const TOLERANCE = 0.03

const proportion = (ratio: string): number => {
  const [width = 1, height = 1] = ratio.split(':').map(Number)
  return width / height
}

const distance = (a: number, b: number): number => Math.abs(Math.log(a / b))

/** The item whose shape is nearest; of two as near, the first. */
function nearestBy<T>(items: readonly T[], shapeOf: (item: T) => number, wanted: number): T | undefined {
  const ranked = items.map((item) => ({ item, off: distance(shapeOf(item), wanted) }))
  return ranked.sort((a, b) => a.off - b.off)[0]?.item
}

/** The offered shape nearest to the wanted one, which is itself where it is offered. */
export const nearestRatio = (offered: readonly string[], wanted: string): string =>
  offered.includes(wanted) ? wanted : (nearestBy(offered, proportion, proportion(wanted)) ?? wanted)

export type PixelSize = { width: number; height: number }

/** `1536x1024` as numbers; null for a size without pixels, such as `auto`. */
export function parsePixelSize(text: string): PixelSize | null {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(text) ?? []
  return Number(width) > 0 && Number(height) > 0 ? { width: Number(width), height: Number(height) } : null
}

/** What a shape is called: one of the named ones when it is about that, else its own reduced proportion. */
export function ratioName({ width, height }: PixelSize): string {
  const named = nearestBy(ASPECT_RATIOS, proportion, width / height)
  if (named && distance(proportion(named), width / height) <= TOLERANCE) return named
  const divisor = greatest(width, height)
  return `${width / divisor}:${height / divisor}`
}

const greatest = (a: number, b: number): number => (b === 0 ? a : greatest(b, a % b))

/** What is asked of an image engine: a shape, and the size in pixels where it makes only certain ones. */
export type ImageShape = { ratio: string; size: PixelSize | null }

/**
 * The form nearest to a wanted shape. An engine with a fixed list of sizes makes one of these (of 1:1, 3:2 and 2:3,
 * every wide shape becomes 3:2), one with a list of shapes one of those, any other one what was asked for.
 */
export function fitImageShape({ sizes = [], ratios = [] }: ImagePrices, wanted: AspectRatio): ImageShape {
  const pixels = sizes.flatMap((text) => parsePixelSize(text) ?? [])
  const size = nearestBy(pixels, ({ width, height }) => width / height, proportion(wanted))
  if (size) return { ratio: ratioName(size), size }
  return { ratio: ratios.length > 0 ? nearestRatio(ratios, wanted) : wanted, size: null }
}

/** Pixels of a shape whose shorter side is given, in steps that every encoder takes. */
export function sizeOfRatio(ratio: string, shorter: number): PixelSize {
  const shape = proportion(ratio)
  const longer = 2 * Math.round((shorter * Math.max(shape, 1 / shape)) / 2)
  return shape >= 1 ? { width: longer, height: shorter } : { width: shorter, height: longer }
}

import type { Draw } from '../kit/seed'
import type { planImage } from './plan'
import tables from './scenes.json'
import { type Color, channelsOf, mixColors } from './svg'

/** The order of a palette in the data file. */
const NAMES = ['skyTop', 'skyLow', 'sun', 'far', 'near', 'ground', 'water', 'accent', 'light'] as const
/** How much of a named color is in each color of that order. */
const TINTS = [0.25, 0.15, 0, 0.35, 0.45, 0.45, 0.35, 1, 0]

/** The colors of an image. */
export type Palette = Record<(typeof NAMES)[number], Color> & { isDark: boolean }

const COLORS: Record<string, Color> = tables.colors
const COLORLESS = ['monochrome', 'grayscale', 'noir', 'ink', 'charcoal', 'woodcut', 'linocut']
const PALE = ['pastel', 'watercolor', 'watercolour', 'soft', 'misty', 'fog', 'foggy']

function gray(color: Color): Color {
  const [r = 0, g = 0, b = 0] = channelsOf(color)
  return Math.round(r * 0.3 + g * 0.59 + b * 0.11)
    .toString(16)
    .padStart(2, '0')
    .repeat(3)
}

/**
 * The colors of a time of day, shifted to those that the words name: the first is of the thing that
 * the image shows, if it shows one, the next of the land around it.
 */
export function paletteFor({ time, words, motifs }: ReturnType<typeof planImage>, { pick, chance }: Draw): Palette {
  const named = [...words].flatMap((word) => COLORS[word] ?? [])
  const [thing, tint] = motifs.length > 0 ? named : [named[1], named[0]]
  const isPale = PALE.some((word) => words.has(word))
  const isGray = COLORLESS.some((word) => words.has(word))
  const shifted = pick('palette', tables.palettes[time])
    .split(' ')
    .map((color, i): Color => {
      const wavered = mixColors(color, color.slice(2) + color.slice(0, 2), chance(`shift ${i}`) * 0.08)
      const toned = tint ? mixColors(wavered, tint, TINTS[i] ?? 0) : wavered
      const pale = isPale ? mixColors(toned, 'faf6ee', 0.42) : toned
      return isGray ? gray(pale) : pale
    })
  const colors = Object.fromEntries(NAMES.map((name, i) => [name, shifted[i] ?? '000000'])) as Omit<Palette, 'isDark'>
  return { ...colors, accent: thing ?? colors.accent, isDark: time === 'night' }
}

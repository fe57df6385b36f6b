import type { Draw } from '../kit/seed'
import tables from './scenes.json'
import { type Color, channelsOf, hexadecimal, mixColors } from './svg'

/** What a prompt may ask for, as SVG elements: its foot is at 0, and 100 is its height. */
export type Motif = (typeof tables.motifs)[number]

type DayTime = keyof typeof tables.palettes

const fits =
  (words: ReadonlySet<string>) =>
  ({ words: any }: { words: string }) =>
    any.split(' ').some((word) => words.has(word))

/** What a prompt's words ask for, as far as this script can draw it. Of scenes the first counts. */
export function planImage(prompt: string) {
  const words = new Set(prompt.toLowerCase().match(/\p{L}+/gu) ?? [])
  const motifs = tables.motifs.filter(fits(words)).slice(0, 3)
  const found = tables.scenes.find(fits(words))?.name
  const scene = found ?? (motifs.some(({ onWater }) => onWater) ? 'sea' : motifs.length > 0 ? 'hills' : 'abstract')
  const time = (tables.times.find(fits(words))?.time ?? 'day') as DayTime
  return { words, motifs, scene, time, isLogo: fits(words)({ words: tables.logos }) }
}

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
  return hexadecimal(Math.round(r * 0.3 + g * 0.59 + b * 0.11)).repeat(3)
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

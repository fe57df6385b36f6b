import type { Draw } from '../../seed'
import { type Color, mixColors } from './canvas'

/** The colors of an image. */
export type Palette = {
  skyTop: Color
  skyLow: Color
  sun: Color
  far: Color
  near: Color
  ground: Color
  water: Color
  accent: Color
  light: Color
  isDark: boolean
}

const hex = (text: string): Color => {
  const value = Number.parseInt(text, 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/** In this order: sky above and below, sun, far and near hills, ground, water, accent, light. */
const TIMES = {
  day: [
    '5aa9e6 cfeaf7 fff3c4 8fb8ca 4f8a6b 3f7553 2f7fb5 d1495b ffffff',
    '7cc6ea e9f5f2 fff7d6 a3c4bc 6a9f58 4f7f45 3b8fc2 e76f51 ffffff',
  ],
  dusk: [
    '3b2c63 f79d65 ffd27a 7a4a7b 3f2b4d 2b1f3a 8a4f7d ff7b54 ffe6b3',
    '274060 f4a259 ffe0a3 5b5f97 2d3250 20243c 4a5a8a e4572e fff1d0',
  ],
  dawn: [
    '8ec5e8 ffd6c0 fff0c9 b6a3c9 7d8fb3 566a8c 8fb4d9 f28482 ffffff',
    'a9c6ea ffe1b8 fff6dd c3b1d6 8a9bc0 6077a0 9fc0dc ef8354 ffffff',
  ],
  night: [
    '0b1533 2a3f6b f4f1de 1f2f55 131f3d 0c152c 17305a f2c14e ffe9a8',
    '10102b 3a2d5c e8e9f3 2a2450 191635 100e26 1f2450 ff9f5a ffe0a0',
  ],
} as const satisfies Record<string, readonly string[]>

export type DayTime = keyof typeof TIMES

const COLORS: Record<string, string> = {
  red: 'c8323c',
  orange: 'ee7f2d',
  yellow: 'f2c230',
  golden: 'e0a92e',
  gold: 'e0a92e',
  green: '3a8f5a',
  teal: '23878f',
  turquoise: '2fb3ac',
  blue: '2f6fc4',
  navy: '1f3566',
  purple: '7b4bb0',
  violet: '7b4bb0',
  pink: 'e4749f',
  magenta: 'c53a8b',
  brown: '7c5539',
  beige: 'd9c7a3',
  white: 'f4f4f0',
  black: '23242a',
  gray: '8a8f98',
  grey: '8a8f98',
}

const gray = ([r, g, b]: Color): Color => {
  const value = Math.round(r * 0.3 + g * 0.59 + b * 0.11)
  return [value, value, value]
}

/** How much of a named color is in each color of the list. */
const TINTS = [0.25, 0.15, 0, 0.35, 0.45, 0.45, 0.35, 0.8, 0]

const COLORLESS = ['monochrome', 'grayscale', 'noir', 'ink', 'charcoal', 'woodcut', 'linocut']
const PALE = ['pastel', 'watercolor', 'watercolour', 'soft', 'misty', 'fog', 'foggy']

/**
 * The colors of a time of day, shifted to those that the words name: the first is of the thing that
 * the image shows, if it shows one, the next of the land around it.
 */
export function paletteFor(
  { time, words, motifs }: { time: DayTime; words: ReadonlySet<string>; motifs: readonly unknown[] },
  { pick, chance }: Draw,
): Palette {
  const list = pick('palette', TIMES[time]).split(' ').map(hex)
  const named = [...words].flatMap((word) => (COLORS[word] ? [hex(COLORS[word])] : []))
  const [thing, tint] = motifs.length > 0 ? named : [named[1], named[0]]
  const shifted = list.map((color, i): Color => {
    const wavered = mixColors(color, [color[1], color[2], color[0]], chance(`shift ${i}`) * 0.08)
    const toned = tint ? mixColors(wavered, tint, i === 7 ? 1 : (TINTS[i] ?? 0)) : wavered
    const pale = PALE.some((word) => words.has(word)) ? mixColors(toned, [250, 246, 238], 0.42) : toned
    return COLORLESS.some((word) => words.has(word)) ? gray(pale) : pale
  })
  const at = (i: number): Color => shifted[i] ?? [0, 0, 0]
  return {
    skyTop: at(0),
    skyLow: at(1),
    sun: at(2),
    far: at(3),
    near: at(4),
    ground: at(5),
    water: at(6),
    accent: thing ?? at(7),
    light: at(8),
    isDark: time === 'night',
  }
}

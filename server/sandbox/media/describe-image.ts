import { decodeDataUri } from '../../tools/media/fetch-result'
import { probeImage } from '../../tools/media/probe'
import type { Color } from './draw/canvas'
import { planImage } from './draw/plan'
import { MADE_BY } from './draw/png'
import { readPngFile } from './png-file'

const NAMES: readonly [string, Color][] = [
  ['black', [20, 20, 24]],
  ['dark gray', [80, 82, 88]],
  ['gray', [145, 148, 152]],
  ['white', [248, 248, 246]],
  ['beige', [222, 204, 172]],
  ['brown', [120, 82, 56]],
  ['red', [200, 50, 56]],
  ['orange', [238, 130, 60]],
  ['yellow', [244, 208, 80]],
  ['green', [72, 140, 84]],
  ['dark green', [38, 76, 56]],
  ['teal', [60, 150, 150]],
  ['light blue', [150, 205, 236]],
  ['blue', [60, 120, 196]],
  ['dark blue', [28, 42, 88]],
  ['purple', [116, 76, 150]],
  ['pink', [232, 150, 170]],
]

const distance = (a: Color, b: Color) => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2

/** The names of the colors that most of the samples have, each with its share in percent. */
function mainColors(samples: readonly Color[]): { name: string; percent: number }[] {
  const counts = new Map<string, number>()
  for (const color of samples) {
    const [nearest] = [...NAMES].sort((a, b) => distance(a[1], color) - distance(b[1], color))
    if (nearest) counts.set(nearest[0], (counts.get(nearest[0]) ?? 0) + 1)
  }
  return [...counts]
    .map(([name, count]) => ({ name, percent: Math.round((count / samples.length) * 100) }))
    .filter(({ percent }) => percent >= 5)
    .sort((a, b) => b.percent - a.percent)
    .slice(0, 4)
}

const TYPES = { 'image/png': 'PNG', 'image/jpeg': 'JPEG', 'image/webp': 'WebP', 'image/gif': 'GIF' } as const

/**
 * What can be said of an image without seeing: its format, size and colors, and of one that the
 * sandbox drew what was asked for. Null where the bytes are not an image.
 */
export function describeImage(bytes: Buffer): string | null {
  const info = probeImage(bytes)
  if (!info) return null
  const { width, height, contentType } = info
  const shape = width === height ? 'square' : width > height ? 'wide' : 'tall'
  const file = readPngFile(bytes)
  const sentences = [`A ${shape} ${TYPES[contentType]} image of ${width} × ${height} pixels.`]
  if (file && file.texts.Software === MADE_BY) {
    const prompt = file.texts.Description ?? ''
    const { motifs, scene, time } = planImage(prompt)
    const shown = motifs.map(({ name }) => `a ${name}`).join(' and ')
    const where = scene === 'abstract' ? 'geometric shapes' : `a scene of the kind “${scene}”`
    sentences.push(
      `The sandbox drew it for “${prompt}”: ${shown ? `${shown} in ${where}` : where}${time === 'day' ? '' : `, at ${time}`}.`,
    )
  }
  const colors = mainColors(file?.colors ?? []).map(({ name, percent }) => `${name} (${percent} %)`)
  if (colors.length > 0) sentences.push(`Its main colors are ${colors.join(', ')}.`)
  return sentences.join(' ')
}

/** The same for a `data:` URI; null for anything else. */
export function describeImageUri(uri: string): string | null {
  const bytes = /^data:/i.test(uri) ? decodeDataUri(uri) : null
  return bytes && describeImage(bytes)
}

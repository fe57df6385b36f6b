import { decodeDataUri } from '../../tools/media/fetch-result'
import { probeImage } from '../../tools/media/probe'
import { planImage } from './plan'
import tables from './scenes.json'
import { channelsOf, MADE_BY, textOf } from './svg'

const NAMES = Object.entries(tables.shades).map(([name, color]) => ({ name, color: channelsOf(color) }))
/** Larger images are not decoded: the sandbox stays light. */
const MAX_PIXELS = 3_000_000
const SAMPLES = { width: 45, height: 45, fit: 'fill', kernel: 'nearest' } as const

/** The names of the colors that most samples of an image have, each with its share in percent. */
async function mainColors(bytes: Buffer): Promise<{ name: string; percent: number }[]> {
  const { default: sharp } = await import('sharp')
  const image = sharp(bytes, { limitInputPixels: MAX_PIXELS }).toColourspace('srgb').removeAlpha().resize(SAMPLES)
  const samples = await image.raw().toBuffer()
  const counts = new Map<string, number>()
  for (let at = 0; at < samples.length; at += 3) {
    const far = (color: number[]) => color.reduce((sum, value, i) => sum + (value - (samples[at + i] ?? 0)) ** 2, 0)
    const { name } = NAMES.reduce((best, each) => (far(each.color) < far(best.color) ? each : best))
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .map(([name, count]) => ({ name, percent: Math.round((count * 300) / samples.length) }))
    .filter(({ percent }) => percent >= 5)
    .sort((a, b) => b.percent - a.percent)
    .slice(0, 4)
}

const TYPES = { 'image/png': 'PNG', 'image/jpeg': 'JPEG', 'image/webp': 'WebP', 'image/gif': 'GIF' } as const

/**
 * What can be said of an image without seeing: its format, size and colors, and of one that the
 * sandbox drew what was asked for. Null where the bytes are not an image.
 */
export async function describeImage(bytes: Buffer): Promise<string | null> {
  const info = probeImage(bytes)
  if (!info) return null
  const { width, height, contentType } = info
  const shape = width === height ? 'square' : width > height ? 'wide' : 'tall'
  const sentences = [`A ${shape} ${TYPES[contentType]} image of ${width} × ${height} pixels.`]
  if (textOf(bytes, 'Software') === MADE_BY) {
    const prompt = textOf(bytes, 'Description') ?? ''
    const { motifs, scene, time } = planImage(prompt)
    const shown = motifs.map(({ name }) => `a ${name}`).join(' and ')
    const where = scene === 'abstract' ? 'geometric shapes' : `a scene of the kind “${scene}”`
    sentences.push(
      `The sandbox drew it for “${prompt}”: ${shown ? `${shown} in ${where}` : where}${time === 'day' ? '' : `, at ${time}`}.`,
    )
  }
  // A file may be cut, too large, or of a kind that is not decoded here.
  const colors = contentType === 'image/gif' ? [] : await mainColors(bytes).catch(() => [])
  const named = colors.map(({ name, percent }) => `${name} (${percent} %)`)
  if (named.length > 0) sentences.push(`Its main colors are ${named.join(', ')}.`)
  return sentences.join(' ')
}

/** The same for a `data:` URI; null for anything else. */
export async function describeImageUri(uri: string): Promise<string | null> {
  const bytes = /^data:/i.test(uri) ? decodeDataUri(uri) : null
  return bytes && describeImage(bytes)
}

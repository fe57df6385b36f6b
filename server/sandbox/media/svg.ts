import { crc32 } from 'node:zlib'
import type { PixelSize } from '../../tools/media/ratios'

/** Signature and header of a PNG, which come before all texts. */
const HEAD_BYTES = 33
/** Two flags, an empty language and an empty translation of the keyword. */
const AFTER_KEYWORD = '\0\0\0\0\0'

/** A PNG with texts in UTF-8 beside its pixels: https://www.w3.org/TR/png-3/#11iTXt */
function withTexts(png: Buffer, texts: Record<string, string>): Buffer {
  const chunks = Object.entries(texts).map(([keyword, text]) => {
    const body = Buffer.concat([Buffer.from(`iTXt${keyword}${AFTER_KEYWORD}`, 'latin1'), Buffer.from(text)])
    const framed = Buffer.alloc(body.length + 8)
    framed.writeUInt32BE(body.length - 4, 0)
    framed.set(body, 4)
    framed.writeUInt32BE(crc32(body), body.length + 4)
    return framed
  })
  return Buffer.concat([png.subarray(0, HEAD_BYTES), ...chunks, png.subarray(HEAD_BYTES)])
}

/** A text of a PNG that `withTexts` made; null where it has none. */
export function textOf(png: Buffer, keyword: string): string | null {
  const mark = `iTXt${keyword}${AFTER_KEYWORD}`
  const at = png.indexOf(mark, 0, 'latin1')
  if (at < 4) return null
  return png.toString('utf8', at + mark.length, at + 4 + png.readUInt32BE(at - 4))
}

/** Six hexadecimal digits: red, green and blue. */
export type Color = string
export type Point = readonly [number, number]

/** Red, green and blue, 0 to 255. */
export const channelsOf = (color: Color): number[] =>
  [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16))

/** One of these as two digits. */
export const hexadecimal = (channel: number): string => channel.toString(16).padStart(2, '0')

/** One color mixed with a part, 0 to 1, of another. */
export function mixColors(a: Color, b: Color, part: number): Color {
  const [from, to] = [channelsOf(a), channelsOf(b)]
  return from.map((value, i) => hexadecimal(Math.round(value + ((to[i] ?? 0) - value) * part))).join('')
}

const style = (color: Color, alpha = 1) => `fill="#${color}"${alpha < 1 ? ` opacity="${alpha.toFixed(2)}"` : ''}`
const short = (value: number) => Number(value.toFixed(1))

export const polygon = (points: readonly Point[], color: Color, alpha?: number): string =>
  `<path d="M${points.map(([x, y]) => `${short(x)} ${short(y)}`).join('L')}z" ${style(color, alpha)}/>`
export const ellipse = ([x, y]: Point, [rx, ry]: Point, color: Color, alpha?: number): string =>
  `<ellipse cx="${short(x)}" cy="${short(y)}" rx="${rx.toFixed(2)}" ry="${ry.toFixed(2)}" ${style(color, alpha)}/>`
export const rectangle = ([x, y]: Point, [width, height]: Point, color: Color, alpha?: number): string =>
  `<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" ${style(color, alpha)}/>`

/** The rows from `top` to `bottom`, parts of the height, in a color that changes steadily. */
export function band([top, bottom]: Point, [from, to]: readonly [Color, Color]): string {
  const id = `band-${from}-${to}`
  const stops = `<stop stop-color="#${from}"/><stop offset="1" stop-color="#${to}"/>`
  return `<linearGradient id="${id}" x2="0" y2="1">${stops}</linearGradient><rect y="${top * 100}%" width="100%" height="${(bottom - top) * 100}%" fill="url(#${id})"/>`
}

/**
 * A drawing of the data files: `{wall}` is a color of the palette, `{wall:ffffff:35}` has 35
 * percent of another mixed in, and `{band 0 0.6 sky wall}` fills rows.
 */
export function fillDrawing(drawing: string, palette: Record<string, Color>): string {
  const colorOf = (text: string) => {
    const [first = '', ...mixes] = text.split(':')
    const named = (name: string) => palette[name] ?? name
    let color = named(first)
    for (let i = 0; i < mixes.length; i += 2)
      color = mixColors(color, named(mixes[i] ?? first), Number(mixes[i + 1]) / 100)
    return color
  }
  return drawing.replaceAll(/\{([^{}]+)\}/g, (_, text: string) => {
    const [, top, bottom, from = '', to = ''] = /^band (\S+) (\S+) (\S+) (\S+)$/.exec(text) ?? []
    return top ? band([Number(top), Number(bottom)], [colorOf(from), colorOf(to)]) : `#${colorOf(text)}`
  })
}

/** Texts that every image of the sandbox carries: it says what it is. */
export const MADE_BY = 'Tollgate sandbox, drawn by a script'

/** SVG elements as a PNG of this size that carries its description. */
export async function renderPng(elements: string, size: PixelSize, description: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}">${elements}</svg>`
  // Loaded when first needed: most calls draw nothing.
  const { default: sharp } = await import('sharp')
  const png = await sharp(Buffer.from(svg)).removeAlpha().png({ compressionLevel: 6 }).toBuffer()
  return withTexts(png, { Software: MADE_BY, Description: description.slice(0, 2_000) })
}

import type { PixelSize } from '../../../tools/media/ratios'

/** Red, green and blue, 0 to 255. */
export type Color = readonly [number, number, number]
export type Point = readonly [number, number]

/** Rows of RGB, each behind one byte that names its filter, as a PNG has them. */
export type Canvas = PixelSize & { rows: Uint8Array; stride: number }

export function makeCanvas({ width, height }: PixelSize): Canvas {
  const stride = width * 3 + 1
  return { width, height, stride, rows: new Uint8Array(stride * height) }
}

export const mixColors = (a: Color, b: Color, part: number): Color => [
  Math.round(a[0] + (b[0] - a[0]) * part),
  Math.round(a[1] + (b[1] - a[1]) * part),
  Math.round(a[2] + (b[2] - a[2]) * part),
]

/** So many pixels of one color in a row. */
const strip = ([r, g, b]: Color, count: number): Uint8Array => {
  const pixels = new Uint8Array(count * 3)
  pixels.set([r, g, b])
  for (let done = 3; done < pixels.length; done *= 2) pixels.copyWithin(done, 0, Math.min(done, pixels.length - done))
  return pixels
}

/** Rows from `top` to `bottom` (both as parts of the height) whose color changes steadily. */
export function fillGradient(canvas: Canvas, [top, bottom]: Point, [from, to]: readonly [Color, Color]): void {
  const { width, height, stride, rows } = canvas
  const [first, last] = [Math.max(0, Math.floor(top * height)), Math.min(height, Math.ceil(bottom * height))]
  for (let y = first; y < last; y++)
    rows.set(strip(mixColors(from, to, (y - first) / Math.max(1, last - first - 1)), width), y * stride + 1)
}

function blend({ rows, stride }: Canvas, [x, y]: Point, [r, g, b]: Color, part: number): void {
  const at = y * stride + 1 + x * 3
  rows[at] = (rows[at] ?? 0) + (r - (rows[at] ?? 0)) * part
  rows[at + 1] = (rows[at + 1] ?? 0) + (g - (rows[at + 1] ?? 0)) * part
  rows[at + 2] = (rows[at + 2] ?? 0) + (b - (rows[at + 2] ?? 0)) * part
}

/** Lines per row of pixels, for smooth edges. */
const LINES = 4

type Fill = { color: Color; alpha?: number }

/** A polygon in pixels, even-odd, with smooth edges; `alpha` 1 covers what is behind. */
export function fillPolygon(canvas: Canvas, points: readonly Point[], { color, alpha = 1 }: Fill): void {
  const { width, height, stride, rows } = canvas
  const ys = points.map(([, y]) => y)
  const [first, last] = [Math.max(0, Math.floor(Math.min(...ys))), Math.min(height, Math.ceil(Math.max(...ys)))]
  const solid = alpha === 1 ? strip(color, width) : null
  // By pixel: what its edges cover, and by how much what follows is covered more.
  const edges = new Float32Array(width + 2)
  const steps = new Float32Array(width + 2)
  for (let y = first; y < last; y++) {
    const touched = new Set<number>()
    for (let line = 0; line < LINES; line++) {
      const xs = crossings(points, y + (line + 0.5) / LINES)
      for (let i = 0; i + 1 < xs.length; i += 2) {
        const [a, b] = [clamp(xs[i] ?? 0, width), clamp(xs[i + 1] ?? 0, width)]
        const [from, to] = [Math.floor(a), Math.floor(b)]
        if (from === to) edges[from] = (edges[from] ?? 0) + b - a
        else {
          edges[from] = (edges[from] ?? 0) + from + 1 - a
          edges[to] = (edges[to] ?? 0) + b - to
          steps[from + 1] = (steps[from + 1] ?? 0) + 1
          steps[to] = (steps[to] ?? 0) - 1
          touched.add(from + 1)
        }
        touched.add(from).add(to)
      }
    }
    if (touched.size === 0) continue
    const cells = [...touched].sort((a, b) => a - b)
    let covered = 0
    for (const [i, x] of cells.entries()) {
      covered += steps[x] ?? 0
      const part = (covered + (edges[x] ?? 0)) / LINES
      if (x < width && part > 0.002) blend(canvas, [x, y], color, Math.min(1, part) * alpha)
      const next = Math.min(width, cells[i + 1] ?? x + 1)
      if (covered > 0.5 && next > x + 1) {
        if (solid && covered > LINES - 0.5)
          rows.set(solid.subarray(0, (next - x - 1) * 3), y * stride + 1 + (x + 1) * 3)
        else for (let p = x + 1; p < next; p++) blend(canvas, [p, y], color, (covered / LINES) * alpha)
      }
      edges[x] = 0
      steps[x] = 0
    }
  }
}

const clamp = (value: number, max: number) => Math.min(max, Math.max(0, value))

/** Where a horizontal line meets the polygon's edges, left to right. */
function crossings(points: readonly Point[], y: number): number[] {
  const xs: number[] = []
  let [px, py] = points.at(-1) ?? [0, 0]
  for (const [x, top] of points) {
    if (py <= y !== top <= y) xs.push(px + ((y - py) / (top - py)) * (x - px))
    px = x
    py = top
  }
  return xs.sort((a, b) => a - b)
}

/** An ellipse as a polygon. */
export const ellipse = (x: number, y: number, [rx, ry]: Point): Point[] =>
  Array.from({ length: 48 }, (_, i): Point => {
    const angle = (i / 48) * 2 * Math.PI
    return [x + Math.cos(angle) * rx, y + Math.sin(angle) * ry]
  })

export const box = (x: number, y: number, [width, height]: Point): Point[] => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
]

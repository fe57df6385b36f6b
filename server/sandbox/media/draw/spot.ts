import type { Draw } from '../../seed'
import { box, type Canvas, type Color, ellipse, fillPolygon, mixColors, type Point } from './canvas'
import type { Palette } from './palette'

/** Something that is drawn on the ground: where it is and how high, in pixels. */
export type Spot = { canvas: Canvas; colors: Palette; draw: Draw; x: number; base: number; size: number }
export type Motif = (spot: Spot) => void

export const paintShape = ({ canvas, x, base, size }: Spot, points: readonly Point[], color: Color, alpha = 1) =>
  fillPolygon(
    canvas,
    points.map(([px, py]): Point => [x + px * size, base - py * size]),
    { color, alpha },
  )
export const paintRect = (spot: Spot, [left, bottom]: Point, [width, height]: Point, color: Color, alpha = 1) =>
  paintShape(spot, box(left, bottom, [width, height]), color, alpha)
export const paintRound = (spot: Spot, [cx, cy]: Point, [rx, ry]: Point, color: Color, alpha = 1) =>
  paintShape(spot, ellipse(cx, cy, [rx, ry]), color, alpha)

export const darker = (color: Color) => mixColors(color, [12, 14, 24], 0.35)
export const paler = (color: Color) => mixColors(color, [255, 255, 255], 0.35)

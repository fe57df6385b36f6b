import { box, type Color, fillPolygon, mixColors } from './canvas'
import type { Painting } from './scenes'

export function paintCity(scene: Painting, horizon: number): void {
  const { canvas, colors, draw } = scene
  const { width, height } = canvas
  for (const [row, part] of [0.25, 0.6, 1].entries()) {
    const color = mixColors(colors.far, mixColors(colors.near, [20, 24, 40], 0.4), part)
    const count = 9 + row * 2
    for (let i = 0; i < count; i++) {
      const name = `block ${row} ${i}`
      const wide = (width / count) * (0.7 + draw.chance(`${name} w`) * 0.5)
      const high = height * (0.14 + draw.chance(`${name} h`) ** 1.6 * (0.42 - row * 0.09))
      const [x, y] = [
        (i + draw.chance(`${name} x`) * 0.4) * (width / count) - wide * 0.2,
        height * (horizon + row * 0.05) - high,
      ]
      fillPolygon(canvas, box(x, y, [wide, height - y]), { color })
      if (draw.chance(`${name} top`) < 0.25)
        fillPolygon(canvas, box(x + wide * 0.46, y - high * 0.16, [wide * 0.06, high * 0.16]), { color })
      if (row > 0) paintWindows(scene, { x, y, wide, high }, name)
    }
  }
}

type Block = { x: number; y: number; wide: number; high: number }

function paintWindows({ canvas, colors, draw }: Painting, { x, y, wide, high }: Block, name: string): void {
  const [across, down] = [4, Math.min(24, Math.max(3, Math.floor((high / wide) * 4)))]
  const glass: Color = colors.isDark ? colors.light : mixColors(colors.skyLow, [255, 255, 255], 0.3)
  for (let n = 0; n < across * down; n++) {
    if (draw.chance(`${name} window ${n}`) > (colors.isDark ? 0.5 : 0.75)) continue
    const [column, floor] = [n % across, Math.floor(n / across)]
    const [cell, step] = [wide / (across + 0.5), high / (down + 0.5)]
    fillPolygon(canvas, box(x + cell * (column + 0.4), y + step * (floor + 0.5), [cell * 0.55, step * 0.5]), {
      color: glass,
      alpha: colors.isDark ? 0.9 : 0.5,
    })
  }
}

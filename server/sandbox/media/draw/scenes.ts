import type { Draw } from '../../seed'
import { box, type Canvas, type Color, ellipse, fillGradient, fillPolygon, mixColors, type Point } from './canvas'
import { paintPine, paintTree } from './grown'
import type { Palette } from './palette'

export type Painting = { canvas: Canvas; colors: Palette; draw: Draw }

/** A line of hills: its heights at some places, joined smoothly. */
function ridge({ canvas: { width, height }, draw }: Painting, name: string, [top, rough]: Point): Point[] {
  const waves = [1, 2.3, 5.1].map((rate, i) => ({ rate, at: draw.chance(`${name} ${i}`) * 7, size: rough / (i + 1) }))
  const line = Array.from({ length: 81 }, (_, i): Point => {
    const t = i / 80
    const y = waves.reduce((sum, { rate, at, size }) => sum + Math.sin(t * rate * 4 + at) * size, top)
    return [t * width, y * height]
  })
  return [...line, [width, height], [0, height]]
}

/** Peaks with straight sides. */
function peaks({ canvas: { width, height }, draw }: Painting, name: string, [top, rough]: Point): Point[] {
  const count = 4 + draw.int(`${name} count`, 0, 3)
  const line = Array.from({ length: count * 2 + 1 }, (_, i): Point => {
    const shift = (draw.chance(`${name} x ${i}`) - 0.5) * 0.5
    const y =
      i % 2 === 0
        ? top + rough * (0.7 + draw.chance(`${name} low ${i}`) * 0.5)
        : top - rough * draw.chance(`${name} high ${i}`)
    return [((i + (i % 2 === 0 ? 0 : shift)) / (count * 2)) * width, y * height]
  })
  return [...line, [width, height], [0, height]]
}

export function paintSky({ canvas, colors, draw }: Painting, horizon: number): void {
  fillGradient(canvas, [0, horizon], [colors.skyTop, colors.skyLow])
  fillGradient(canvas, [horizon, 1], [colors.skyLow, colors.skyLow])
  const { width, height } = canvas
  const unit = Math.min(width, height)
  if (colors.isDark) {
    for (let i = 0; i < 90; i++) {
      const at: Point = [draw.chance(`star x ${i}`) * width, draw.chance(`star y ${i}`) * horizon * 0.9 * height]
      const size = unit * (0.0008 + draw.chance(`star ${i}`) * 0.0016)
      fillPolygon(canvas, box(at[0], at[1], [size * 2, size * 2]), {
        color: colors.light,
        alpha: 0.4 + draw.chance(`glow ${i}`) * 0.6,
      })
    }
  }
  const [x, y] = [width * (0.18 + draw.chance('sun x') * 0.64), height * horizon * (0.28 + draw.chance('sun y') * 0.4)]
  const size = unit * (0.06 + draw.chance('sun size') * 0.035)
  for (const [rings, alpha] of [
    [2.1, 0.1],
    [1.55, 0.16],
  ] as const)
    fillPolygon(canvas, ellipse(x, y, [size * rings, size * rings]), { color: colors.sun, alpha })
  fillPolygon(canvas, ellipse(x, y, [size, size]), { color: colors.sun })
  if (!colors.isDark) paintClouds({ canvas, colors, draw }, horizon)
}

function paintClouds({ canvas, colors, draw }: Painting, horizon: number): void {
  const { width, height } = canvas
  for (let i = 0; i < draw.int('clouds', 2, 4); i++) {
    const [x, y] = [draw.chance(`cloud x ${i}`) * width, height * horizon * (0.12 + draw.chance(`cloud y ${i}`) * 0.4)]
    const size = width * (0.03 + draw.chance(`cloud ${i}`) * 0.03)
    const color = mixColors(colors.skyLow, [255, 255, 255], 0.55)
    for (const [dx, dy, r] of [
      [-1.3, 0.1, 0.6],
      [-0.5, -0.25, 0.85],
      [0.45, -0.15, 0.75],
      [1.25, 0.12, 0.55],
    ] as const)
      fillPolygon(canvas, ellipse(x + dx * size, y + dy * size, [size * r, size * r * 0.62]), { color })
    fillPolygon(canvas, box(x - size * 1.8, y + size * 0.1, [size * 3.5, size * 0.36]), { color })
  }
}

export function paintHills(scene: Painting, horizon: number): void {
  const { canvas, colors } = scene
  for (const [i, part] of [0.15, 0.5, 0.85].entries())
    fillPolygon(canvas, ridge(scene, `hill ${i}`, [horizon - 0.07 + i * 0.1, 0.045]), {
      color: mixColors(colors.far, colors.near, part),
    })
}

export function paintMountains(scene: Painting, horizon: number): void {
  const { canvas, colors } = scene
  const far = peaks(scene, 'far', [horizon - 0.2, 0.14])
  fillPolygon(canvas, far, { color: colors.far })
  // Snow on what is high enough.
  for (let i = 1; i + 1 < far.length - 2; i += 2) {
    const [[lx, ly], [x, y], [rx, ry]] = [far[i - 1] ?? [0, 0], far[i] ?? [0, 0], far[i + 1] ?? [0, 0]]
    const down = 0.34
    const [left, right]: [Point, Point] = [
      [x + (lx - x) * down, y + (ly - y) * down],
      [x + (rx - x) * down, y + (ry - y) * down],
    ]
    const middle: Point = [(left[0] + right[0]) / 2, Math.max(left[1], right[1]) - (right[0] - left[0]) * 0.16]
    fillPolygon(canvas, [[x, y], right, middle, left], { color: mixColors(colors.light, colors.far, 0.12) })
  }
  fillPolygon(canvas, peaks(scene, 'near', [horizon - 0.07, 0.1]), { color: mixColors(colors.far, colors.near, 0.55) })
  fillPolygon(canvas, ridge(scene, 'foot', [horizon + 0.04, 0.02]), { color: colors.near })
}

export function paintSea({ canvas, colors, draw }: Painting, horizon: number): void {
  const { width, height } = canvas
  fillGradient(
    canvas,
    [horizon, 1],
    [mixColors(colors.water, colors.skyLow, 0.45), mixColors(colors.water, [8, 18, 40], 0.35)],
  )
  for (let i = 0; i < 26; i++) {
    const depth = i / 26
    const y = height * (horizon + 0.015 + (1 - horizon) * depth ** 1.4)
    const x = draw.chance(`wave x ${i}`) * width
    const long = width * (0.05 + depth * 0.16) * (0.5 + draw.chance(`wave ${i}`))
    fillPolygon(canvas, ellipse(x, y, [long, height * (0.0016 + depth * 0.004)]), {
      color: mixColors(colors.light, colors.sun, 0.5),
      alpha: 0.3,
    })
  }
}

export function paintForest(scene: Painting, horizon: number): void {
  const { canvas, colors, draw } = scene
  const { width, height } = canvas
  paintHills(scene, horizon)
  const paint = draw.chance('kind of wood') < 0.65 ? paintPine : paintTree
  for (let i = 0; i < 34; i++) {
    const depth = i / 34
    const x = draw.chance(`tree x ${i}`) * width
    const base = height * (horizon + 0.02 + depth * (0.95 - horizon))
    const size = height * (0.12 + depth * 0.26)
    const haze = {
      ...colors,
      near: mixColors(colors.far, colors.near, 0.3 + depth * 0.7),
      ground: mixColors(colors.far, colors.ground, 0.3 + depth * 0.7),
    }
    paint({ canvas, colors: haze, draw, x, base, size })
  }
}

export function paintDunes(scene: Painting, horizon: number): void {
  const { canvas, colors } = scene
  const sand: Color = mixColors([222, 178, 112], colors.skyLow, colors.isDark ? 0.6 : 0.15)
  for (const [i, part] of [0.25, 0.1, 0].entries())
    fillPolygon(canvas, ridge(scene, `dune ${i}`, [horizon - 0.04 + i * 0.13, 0.05]), {
      color: mixColors(sand, i === 2 ? [120, 80, 50] : colors.skyLow, part + (i === 2 ? 0.2 : 0)),
    })
}

export function paintSnow(scene: Painting, horizon: number): void {
  const { canvas, colors, draw } = scene
  fillPolygon(canvas, ridge(scene, 'snow', [horizon + 0.04, 0.025]), {
    color: mixColors([240, 244, 250], colors.skyTop, 0.12),
  })
  for (let i = 0; i < 70; i++) {
    const [x, y] = [draw.chance(`flake x ${i}`) * canvas.width, draw.chance(`flake y ${i}`) * canvas.height]
    const size = canvas.height * (0.0015 + draw.chance(`flake ${i}`) * 0.003)
    fillPolygon(canvas, ellipse(x, y, [size, size]), { color: [255, 255, 255], alpha: 0.85 })
  }
}

export function paintSpace(scene: Painting): void {
  const { canvas, colors, draw } = scene
  const { width, height } = canvas
  for (let i = 0; i < 3; i++) {
    const size = Math.min(width, height) * (0.06 + draw.chance(`planet ${i}`) * 0.16)
    const [x, y] = [
      width * (0.15 + draw.chance(`planet x ${i}`) * 0.7),
      height * (0.25 + draw.chance(`planet y ${i}`) * 0.6),
    ]
    const color = mixColors(i === 0 ? colors.accent : colors.far, colors.light, draw.chance(`tone ${i}`) * 0.5)
    fillPolygon(canvas, ellipse(x, y, [size, size]), { color })
    fillPolygon(canvas, ellipse(x - size * 0.25, y - size * 0.2, [size * 0.62, size * 0.62]), {
      color: [255, 255, 255],
      alpha: 0.14,
    })
    if (i === 0)
      fillPolygon(canvas, ellipse(x, y + size * 0.1, [size * 1.8, size * 0.16]), { color: colors.light, alpha: 0.75 })
  }
}

/** Soft shapes over each other, for what has no scene. */
export function paintAbstract({ canvas, colors, draw }: Painting): void {
  const { width, height } = canvas
  const tones = draw.shuffle('tones', [colors.skyTop, colors.far, colors.near, colors.accent, colors.water, colors.sun])
  fillGradient(canvas, [0, 1], [mixColors(colors.skyLow, [255, 255, 255], 0.3), colors.skyLow])
  for (let i = 0; i < 9; i++) {
    const [x, y] = [draw.chance(`x ${i}`) * width, draw.chance(`y ${i}`) * height]
    const size = Math.min(width, height) * (0.08 + draw.chance(`size ${i}`) * 0.3)
    const color = tones[i % tones.length] ?? colors.accent
    const form = draw.int(`form ${i}`, 0, 2)
    const turn = draw.chance(`turn ${i}`) * Math.PI
    const corners = form === 0 ? 48 : form === 1 ? 4 : 3
    const points = Array.from({ length: corners }, (_, k): Point => {
      const angle = turn + (k / corners) * 2 * Math.PI
      return [x + Math.cos(angle) * size, y + Math.sin(angle) * size]
    })
    fillPolygon(canvas, points, { color, alpha: 0.82 })
  }
}

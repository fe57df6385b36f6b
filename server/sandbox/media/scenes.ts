import type { PixelSize } from '../../tools/media/ratios'
import { type Draw, times } from '../kit/seed'
import type { Motif, Palette } from './plan'
import tables from './scenes.json'
import { band, type Color, ellipse, fillDrawing, mixColors, type Point, polygon, rectangle } from './svg'

export type Painting = { size: PixelSize; colors: Palette; draw: Draw }

const circle = (at: Point, r: number, color: string, alpha?: number) => ellipse(at, [r, r], color, alpha)
const unitOf = ({ size: { width, height } }: Painting) => Math.min(width, height)
/** A place that follows from its name. */
const spot = ({ size: { width, height }, draw: { chance } }: Painting, name: string): Point => [
  chance(`${name} x`) * width,
  chance(`${name} y`) * height,
]

/** A line of hills, its heights joined smoothly, or of `peaks` with straight sides. */
function ridge({ size: { width, height }, draw }: Painting, name: string, [top, rough]: Point, peaks = 0): Point[] {
  const waves = [1, 2.3, 5.1].map((rate, i) => ({ rate, at: draw.chance(`${name} ${i}`) * 7, size: rough / (i + 1) }))
  const smooth = (t: number) => waves.reduce((y, { rate, at, size }) => y + Math.sin(t * rate * 4 + at) * size, top)
  const steep = (i: number) => top + rough * (i % 2 === 0 ? 0.7 : -1) * draw.chance(`${name} ${i}`)
  const count = peaks > 0 ? peaks * 2 : 80
  const heightAt = (i: number) => (peaks > 0 ? steep(i) : smooth(i / count))
  const line = times(count + 1, (i): Point => [(i / count) * width, heightAt(i) * height])
  return [...line, [width, height], [0, height]]
}

const slope = (scene: Painting, name: string, at: Point, color: Color) => polygon(ridge(scene, name, at), color)

/** Something of the data file at a place, so high. */
export function motifAt({ svg, night }: Motif, { colors, draw }: Painting, [x, base]: Point, high: number): string {
  const leaf = mixColors(colors.near, colors.ground, draw.chance(`leaf ${x}`))
  const drawing = fillDrawing((colors.isDark && night) || svg, { ...colors, isDark: '', leaf } as never)
  return `<g transform="translate(${x.toFixed(1)} ${base.toFixed(1)}) scale(${(high / 100).toFixed(3)})">${drawing}</g>`
}

function sky(scene: Painting, horizon: number): string {
  const { size, colors, draw } = scene
  const { width, height } = size
  const unit = unitOf(scene)
  const stars = times(90, (i) => {
    const [x, y] = spot(scene, `star ${i}`)
    return circle([x, y * horizon * 0.9], unit * (0.0008 + draw.chance(`star ${i}`) * 0.0016), colors.light, 0.8)
  })
  const clouds = times(draw.int('clouds', 2, 4), (i) => {
    const [x, y] = spot(scene, `cloud ${i}`)
    const r = width * (0.03 + draw.chance(`cloud ${i}`) * 0.03)
    const color = mixColors(colors.skyLow, 'ffffff', 0.55)
    const parts = [-1.3, -0.5, 0.45, 1.25].map((dx, n) =>
      ellipse([x + dx * r, height * 0.08 + y * horizon * 0.5], [r * (n % 3 === 0 ? 0.6 : 0.85), r * 0.45], color),
    )
    return parts.join('')
  })
  const high = height * horizon * (0.28 + draw.chance('sun y') * 0.4)
  const sun: Point = [width * (0.18 + draw.chance('sun x') * 0.64), high]
  const r = unit * (0.06 + draw.chance('sun size') * 0.035)
  return [
    band([0, horizon], [colors.skyTop, colors.skyLow]),
    band([horizon, 1], [colors.skyLow, colors.skyLow]),
    ...(colors.isDark ? stars : []),
    circle(sun, r * 2.1, colors.sun, 0.1),
    circle(sun, r * 1.55, colors.sun, 0.16),
    circle(sun, r, colors.sun),
    ...(colors.isDark ? [] : clouds),
  ].join('')
}

const hills = (scene: Painting, horizon: number) =>
  [0.15, 0.5, 0.85].map((part, i) =>
    slope(scene, `hill ${i}`, [horizon - 0.07 + i * 0.1, 0.045], mixColors(scene.colors.far, scene.colors.near, part)),
  )

function mountains(scene: Painting, horizon: number): string[] {
  const { colors, draw } = scene
  const far = ridge(scene, 'far', [horizon - 0.2, 0.14], draw.int('peaks', 4, 7))
  // Snow on what is high enough.
  const caps = far.slice(0, -2).flatMap(([x, y], i) => {
    const [left, right] = [far[i - 1], far[i + 1]]
    if (i % 2 === 0 || !left || !right) return []
    const down = ([px, py]: Point): Point => [x + (px - x) * 0.34, y + (py - y) * 0.34]
    return polygon([[x, y], down(right), down(left)], mixColors(colors.light, colors.far, 0.12))
  })
  return [
    polygon(far, colors.far),
    ...caps,
    polygon(ridge(scene, 'near', [horizon - 0.07, 0.1], 5), mixColors(colors.far, colors.near, 0.55)),
    slope(scene, 'foot', [horizon + 0.04, 0.02], colors.near),
  ]
}

function sea(scene: Painting, horizon: number): string[] {
  const { size, colors, draw } = scene
  const waves = times(26, (i) => {
    const depth = i / 26
    const at: Point = [spot(scene, `wave ${i}`)[0], size.height * (horizon + 0.015 + (1 - horizon) * depth ** 1.4)]
    const long = size.width * (0.05 + depth * 0.16) * (0.5 + draw.chance(`wave ${i}`))
    return ellipse(at, [long, size.height * (0.0016 + depth * 0.004)], mixColors(colors.light, colors.sun, 0.5), 0.3)
  })
  const water = [mixColors(colors.water, colors.skyLow, 0.45), mixColors(colors.water, '081228', 0.35)] as const
  return [band([horizon, 1], water), ...waves]
}

function forest(scene: Painting, horizon: number): string[] {
  const { size, colors, draw } = scene
  const kind = draw.chance('kind of wood') < 0.65 ? 'pine' : 'tree'
  const motif = tables.motifs.find(({ name }) => name === kind) as Motif
  const trees = times(34, (i) => {
    const depth = i / 34
    const haze = (color: string) => mixColors(colors.far, color, 0.3 + depth * 0.7)
    const hazy = { ...scene, colors: { ...colors, near: haze(colors.near), ground: haze(colors.ground) } }
    const at: Point = [spot(scene, `tree ${i}`)[0], size.height * (horizon + 0.02 + depth * (0.95 - horizon))]
    return motifAt(motif, hazy, at, size.height * (0.12 + depth * 0.26))
  })
  return [...hills(scene, horizon), ...trees]
}

function city(scene: Painting, horizon: number): string[] {
  const { size, colors, draw } = scene
  const { width, height } = size
  const glass = colors.isDark ? colors.light : mixColors(colors.skyLow, 'ffffff', 0.3)
  return [0.25, 0.6, 1].flatMap((part, row) => {
    const color = mixColors(colors.far, mixColors(colors.near, '141828', 0.4), part)
    const count = 9 + row * 2
    return times(count, (i) => {
      const name = `block ${row} ${i}`
      const wide = (width / count) * (0.7 + draw.chance(`${name} w`) * 0.5)
      const high = height * (0.14 + draw.chance(`${name} h`) ** 1.6 * (0.42 - row * 0.09))
      const x = (i + draw.chance(`${name} x`) * 0.4 - 0.2) * (width / count)
      const y = height * (horizon + row * 0.05) - high
      const windows = times(row > 0 ? 32 : 0, (n) => {
        if (draw.chance(`${name} window ${n}`) > (colors.isDark ? 0.5 : 0.75)) return ''
        const at: Point = [x + (wide / 4.5) * ((n % 4) + 0.4), y + (high / 8.5) * (Math.floor(n / 4) + 0.5)]
        return rectangle(at, [wide * 0.12, high * 0.06], glass, colors.isDark ? 0.9 : 0.5)
      })
      return rectangle([x, y], [wide, height - y], color) + windows.join('')
    })
  })
}

function desert(scene: Painting, horizon: number): string[] {
  const { colors } = scene
  const sand = mixColors('deb270', colors.skyLow, colors.isDark ? 0.6 : 0.15)
  return [0.25, 0.1, 0.2].map((part, i) =>
    slope(
      scene,
      `dune ${i}`,
      [horizon - 0.04 + i * 0.13, 0.05],
      mixColors(sand, i === 2 ? '785032' : colors.skyLow, part),
    ),
  )
}

function snow(scene: Painting, horizon: number): string[] {
  const { size, colors, draw } = scene
  const flakes = times(70, (i) =>
    circle(spot(scene, `flake ${i}`), size.height * (0.0015 + draw.chance(`flake ${i}`) * 0.003), 'ffffff', 0.85),
  )
  const ground = slope(scene, 'snow', [horizon + 0.04, 0.025], mixColors('f0f4fa', colors.skyTop, 0.12))
  return [...mountains(scene, horizon - 0.05), ground, ...flakes]
}

const space = (scene: Painting): string[] =>
  times(3, (i) => {
    const { colors, draw } = scene
    const [x, y] = spot(scene, `planet ${i}`)
    const r = unitOf(scene) * (0.06 + draw.chance(`planet ${i}`) * 0.16)
    const color = mixColors(i === 0 ? colors.accent : colors.far, colors.light, draw.chance(`tone ${i}`) * 0.5)
    const shine = circle([x - r * 0.25, y - r * 0.2], r * 0.62, 'ffffff', 0.14)
    const ring = i === 0 ? ellipse([x, y + r * 0.1], [r * 1.8, r * 0.16], colors.light, 0.75) : ''
    return circle([x, y], r, color) + shine + ring
  })

/** Soft shapes over each other, for what has no scene. */
function abstract(scene: Painting): string[] {
  const { colors, draw } = scene
  const { skyTop, far, near, accent, water, sun, skyLow } = colors
  const tones = draw.shuffle('tones', [skyTop, far, near, accent, water, sun])
  const shapes = times(9, (i) => {
    const [x, y] = spot(scene, `shape ${i}`)
    const r = unitOf(scene) * (0.08 + draw.chance(`size ${i}`) * 0.3)
    const turn = draw.chance(`turn ${i}`) * Math.PI
    const corners = draw.pick(`form ${i}`, [48, 4, 3])
    const points = times(corners, (k): Point => {
      const angle = turn + (k / corners) * 2 * Math.PI
      return [x + Math.cos(angle) * r, y + Math.sin(angle) * r]
    })
    return polygon(points, tones[i % tones.length] ?? accent, 0.82)
  })
  return [band([0, 1], [mixColors(skyLow, 'ffffff', 0.3), skyLow]), ...shapes]
}

type Painter = { horizon: number; paint: (scene: Painting, horizon: number) => string[] }

const PAINTERS: Record<string, Painter> = {
  space: { horizon: 1, paint: space },
  sea: { horizon: 0.58, paint: sea },
  city: { horizon: 0.78, paint: city },
  forest: { horizon: 0.5, paint: forest },
  desert: { horizon: 0.62, paint: desert },
  mountains: { horizon: 0.72, paint: mountains },
  snow: { horizon: 0.64, paint: snow },
  hills: { horizon: 0.62, paint: hills },
}

/** The scene of a name as SVG elements. */
export function sceneNamed(scene: Painting, name: string): string {
  const painter = PAINTERS[name]
  if (!painter) return abstract(scene).join('')
  return sky(scene, painter.horizon) + painter.paint(scene, painter.horizon).join('')
}

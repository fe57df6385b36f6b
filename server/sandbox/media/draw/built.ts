import { type Color, mixColors, type Point } from './canvas'
import { darker, type Motif, paintRect, paintRound, paintShape, paler } from './spot'

export const paintLighthouse: Motif = (spot) => {
  const { accent, light, isDark, ground } = spot.colors
  paintShape(
    spot,
    [
      [-0.3, 0],
      [-0.2, 0.09],
      [0.2, 0.09],
      [0.32, 0],
    ],
    darker(ground),
  )
  const wide = (h: number) => 0.13 - h * 0.055
  for (let i = 0; i < 5; i++) {
    const [low, high] = [0.06 + i * 0.14, 0.06 + (i + 1) * 0.14]
    const points: Point[] = [
      [-wide(low), low],
      [wide(low), low],
      [wide(high), high],
      [-wide(high), high],
    ]
    paintShape(spot, points, i % 2 === 0 ? [244, 241, 232] : accent)
    paintShape(
      spot,
      [
        [wide(low) * 0.35, low],
        [wide(low), low],
        [wide(high), high],
        [wide(high) * 0.35, high],
      ],
      [20, 20, 40],
      0.14,
    )
  }
  if (isDark) {
    paintShape(
      spot,
      [
        [0, 0.84],
        [2.6, 1.15],
        [2.6, 0.62],
      ],
      light,
      0.28,
    )
    paintShape(
      spot,
      [
        [0, 0.84],
        [-2.6, 1.05],
        [-2.6, 0.7],
      ],
      light,
      0.2,
    )
  }
  paintRect(spot, [-0.12, 0.76], [0.24, 0.025], darker(accent))
  paintRect(spot, [-0.065, 0.785], [0.13, 0.11], isDark ? light : [250, 236, 180])
  paintShape(
    spot,
    [
      [-0.09, 0.895],
      [0.09, 0.895],
      [0, 0.98],
    ],
    darker(accent),
  )
  paintRect(spot, [-0.02, 0.06], [0.05, 0.1], darker(accent))
}

export const paintHouse: Motif = (spot) => {
  const { accent, light, isDark, ground } = spot.colors
  const glass = isDark ? light : ([190, 220, 235] as const)
  paintRect(spot, [0.2, 0.6], [0.09, 0.34], darker(accent))
  paintRect(spot, [-0.42, 0], [0.84, 0.5], [240, 230, 212])
  paintRect(spot, [0.1, 0], [0.32, 0.5], [20, 20, 40], 0.08)
  paintShape(
    spot,
    [
      [-0.52, 0.48],
      [0.52, 0.48],
      [0.3, 0.86],
      [-0.3, 0.86],
    ],
    accent,
  )
  paintRect(spot, [-0.07, 0], [0.15, 0.28], darker(accent))
  for (const left of [-0.32, 0.18]) {
    paintRect(spot, [left, 0.18], [0.15, 0.17], glass)
    paintRect(spot, [left + 0.065, 0.18], [0.02, 0.17], [120, 100, 90])
  }
  paintRound(spot, [-0.56, 0.07], [0.14, 0.12], darker(ground))
  paintRound(spot, [0.56, 0.06], [0.12, 0.1], darker(ground))
}

export const paintGate: Motif = (spot) => {
  const { accent, light, isDark } = spot.colors
  paintRect(spot, [-0.62, 0], [0.26, 0.5], [236, 228, 210])
  paintRect(spot, [-0.57, 0.2], [0.16, 0.16], isDark ? light : [150, 190, 210])
  paintShape(
    spot,
    [
      [-0.68, 0.5],
      [-0.3, 0.5],
      [-0.36, 0.64],
      [-0.62, 0.64],
    ],
    darker(accent),
  )
  paintRect(spot, [-0.3, 0], [0.07, 0.36], [90, 96, 108])
  for (let i = 0; i < 8; i++) {
    const [a, b] = [i * 0.12 - 0.3, i * 0.12 - 0.18]
    const lift = (at: number) => 0.3 + (at + 0.3) * 0.42
    paintShape(
      spot,
      [
        [a, lift(a)],
        [b, lift(b)],
        [b, lift(b) + 0.055],
        [a, lift(a) + 0.055],
      ],
      i % 2 === 0 ? accent : [250, 248, 242],
    )
  }
}

export const paintCastle: Motif = (spot) => {
  const stone: Color = mixColors([176, 166, 158], spot.colors.far, 0.3)
  const [lit] = [spot.colors.isDark ? spot.colors.light : ([70, 70, 90] as const)]
  paintRect(spot, [-0.36, 0], [0.72, 0.42], stone)
  for (const left of [-0.46, -0.11, 0.26]) {
    const high = left === -0.11 ? 0.74 : 0.56
    paintRect(spot, [left, 0], [0.2, high], mixColors(stone, [255, 255, 255], 0.08))
    for (const tooth of [0, 0.075, 0.15]) paintRect(spot, [left + tooth, high], [0.05, 0.05], stone)
    paintRect(spot, [left + 0.08, high - 0.2], [0.04, 0.1], lit)
  }
  paintRect(spot, [-0.005, 0.79], [0.012, 0.2], [60, 50, 50])
  paintShape(
    spot,
    [
      [0.007, 0.99],
      [0.18, 0.93],
      [0.007, 0.87],
    ],
    spot.colors.accent,
  )
  paintRound(spot, [-0.01, 0.12], [0.07, 0.1], darker(stone))
  paintRect(spot, [-0.08, 0], [0.14, 0.12], darker(stone))
}

export const paintCup: Motif = (spot) => {
  const { accent } = spot.colors
  paintRound(spot, [0.33, 0.3], [0.15, 0.14], accent)
  paintRound(spot, [0.33, 0.3], [0.08, 0.08], spot.colors.ground)
  paintShape(
    spot,
    [
      [-0.34, 0.54],
      [0.34, 0.54],
      [0.24, 0.06],
      [-0.24, 0.06],
    ],
    accent,
  )
  paintRound(spot, [0, 0.54], [0.34, 0.07], paler(accent))
  paintRound(spot, [0, 0.535], [0.28, 0.05], [84, 56, 42])
  paintRound(spot, [0, 0.04], [0.46, 0.05], paler(accent))
}

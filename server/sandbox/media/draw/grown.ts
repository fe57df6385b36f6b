import { type Color, mixColors } from './canvas'
import { darker, type Motif, paintRect, paintRound, paintShape, paler } from './spot'

export const paintBoat: Motif = (spot) => {
  const { accent } = spot.colors
  paintShape(
    spot,
    [
      [-0.4, 0.06],
      [0.42, 0.06],
      [0.28, -0.08],
      [-0.28, -0.08],
    ],
    darker(accent),
  )
  paintRect(spot, [-0.01, 0.06], [0.02, 0.9], [70, 52, 40])
  paintShape(
    spot,
    [
      [0.03, 0.1],
      [0.4, 0.16],
      [0.03, 0.92],
    ],
    [248, 244, 232],
  )
  paintShape(
    spot,
    [
      [-0.03, 0.13],
      [-0.32, 0.18],
      [-0.03, 0.78],
    ],
    accent,
  )
}

export const paintTree: Motif = (spot) => {
  const { near, ground } = spot.colors
  const leaf = mixColors(near, ground, spot.draw.chance('leaf'))
  paintRect(spot, [-0.035, 0], [0.07, 0.4], [92, 66, 48])
  paintRound(spot, [0, 0.62], [0.27, 0.3], leaf)
  paintRound(spot, [-0.16, 0.5], [0.19, 0.18], darker(leaf), 0.6)
  paintRound(spot, [0.1, 0.72], [0.15, 0.15], paler(leaf), 0.4)
}

export const paintPine: Motif = (spot) => {
  const leaf = mixColors(spot.colors.near, spot.colors.ground, spot.draw.chance('leaf'))
  paintRect(spot, [-0.03, 0], [0.06, 0.16], [80, 58, 44])
  for (const [low, wide, high] of [
    [0.12, 0.27, 0.55],
    [0.32, 0.22, 0.75],
    [0.54, 0.16, 1],
  ] as const) {
    paintShape(
      spot,
      [
        [-wide, low],
        [wide, low],
        [0, high],
      ],
      leaf,
    )
    paintShape(
      spot,
      [
        [wide * 0.1, low],
        [wide, low],
        [0, high],
      ],
      [10, 16, 30],
      0.16,
    )
  }
}

export const paintBalloon: Motif = (spot) => {
  const { accent, light } = spot.colors
  paintShape(
    spot,
    [
      [-0.1, 0.14],
      [-0.3, 0.42],
      [0.3, 0.42],
      [0.1, 0.14],
    ],
    accent,
  )
  paintRound(spot, [0, 0.62], [0.36, 0.36], accent)
  paintRound(spot, [0, 0.62], [0.2, 0.36], paler(accent))
  paintRound(spot, [0, 0.62], [0.08, 0.36], light)
  paintRect(spot, [-0.08, 0], [0.16, 0.1], [110, 78, 52])
}

export const paintRocket: Motif = (spot) => {
  const { accent, light } = spot.colors
  paintShape(
    spot,
    [
      [-0.07, 0.1],
      [0.07, 0.1],
      [0, -0.22],
    ],
    [255, 178, 70],
  )
  paintShape(
    spot,
    [
      [-0.24, 0.08],
      [-0.1, 0.16],
      [-0.1, 0.4],
    ],
    accent,
  )
  paintShape(
    spot,
    [
      [0.24, 0.08],
      [0.1, 0.16],
      [0.1, 0.4],
    ],
    accent,
  )
  paintShape(
    spot,
    [
      [-0.12, 0.1],
      [0.12, 0.1],
      [0.13, 0.55],
      [0.08, 0.8],
      [0, 0.95],
      [-0.08, 0.8],
      [-0.13, 0.55],
    ],
    [240, 240, 244],
  )
  paintShape(
    spot,
    [
      [0.085, 0.78],
      [0, 0.95],
      [-0.085, 0.78],
    ],
    accent,
  )
  paintRound(spot, [0, 0.6], [0.06, 0.06], light)
  paintRound(spot, [0, 0.6], [0.04, 0.04], [70, 110, 150])
}

export const paintFlower: Motif = (spot) => {
  const { accent, ground, draw } = { ...spot.colors, draw: spot.draw }
  paintRect(spot, [-0.015, 0], [0.03, 0.6], darker(ground))
  paintShape(
    spot,
    [
      [0, 0.2],
      [0.2, 0.38],
      [0.04, 0.3],
    ],
    ground,
  )
  for (let i = 0; i < 7; i++) {
    const angle = (i / 7) * 2 * Math.PI + draw.chance('turn')
    paintRound(
      spot,
      [Math.cos(angle) * 0.14, 0.68 + Math.sin(angle) * 0.14],
      [0.1, 0.1],
      i % 2 === 0 ? accent : paler(accent),
    )
  }
  paintRound(spot, [0, 0.68], [0.08, 0.08], [246, 200, 70])
}

export const paintCactus: Motif = (spot) => {
  const green: Color = mixColors([70, 120, 84], spot.colors.near, 0.35)
  paintRect(spot, [-0.07, 0], [0.14, 0.8], green)
  paintRound(spot, [0, 0.8], [0.07, 0.07], green)
  for (const side of [-1, 1]) {
    const low = side < 0 ? 0.35 : 0.25
    paintRect(spot, [side < 0 ? -0.27 : 0.07, low], [0.2, 0.09], green)
    paintRect(spot, [side < 0 ? -0.27 : 0.18, low], [0.09, 0.3], green)
    paintRound(spot, [side < 0 ? -0.225 : 0.225, low + 0.3], [0.045, 0.045], green)
  }
}

import {
  box,
  type Color,
  ellipse,
  fillGradient,
  fillPolygon,
  makeCanvas,
  mixColors,
  type Point,
} from '../media/draw/canvas'
import { encodePng } from '../media/draw/png'
import { drawFrom } from '../seed'

const SIZE = { width: 800, height: 533 }
const WALLS: readonly Color[] = [
  [236, 230, 220],
  [226, 232, 228],
  [232, 224, 212],
  [221, 228, 236],
  [240, 236, 230],
]
const FLOORS: readonly Color[] = [
  [186, 150, 112],
  [160, 128, 98],
  [200, 188, 172],
  [142, 112, 88],
]
const CLOTHS: readonly Color[] = [
  [82, 112, 138],
  [150, 96, 84],
  [96, 128, 104],
  [176, 152, 104],
  [112, 100, 132],
]
const WOOD: Color = [128, 92, 66]
const WHITE: Color = [250, 250, 248]
const SKY: readonly [Color, Color] = [
  [126, 186, 226],
  [222, 238, 246],
]

/** A photo of a home as a script can draw it: the same for the same home, number and tag. */
export function drawPhoto(code: string, tag: string): Buffer {
  const canvas = makeCanvas(SIZE)
  const { pick, chance, int } = drawFrom(`photo ${code}`)
  const wall = pick('wall', WALLS)
  const floor = pick('floor', FLOORS)
  const cloth = pick('cloth', CLOTHS)
  // In thousandths of the width.
  const at = (x: number, y: number): Point => [x * 0.8, y * 0.8]
  const rect = (x: number, y: number, size: Point, color: Color, alpha = 1) =>
    fillPolygon(canvas, box(x * 0.8, y * 0.8, [size[0] * 0.8, size[1] * 0.8]), { color, alpha })
  const round = (x: number, y: number, [rx, ry]: Point, color: Color) =>
    fillPolygon(canvas, ellipse(x * 0.8, y * 0.8, [rx * 0.8, ry * 0.8]), { color })
  const inside = () => {
    fillGradient(canvas, [0, 0.68], [mixColors(wall, WHITE, 0.35), wall])
    fillGradient(canvas, [0.68, 1], [floor, mixColors(floor, [40, 30, 20], 0.25)])
    rect(0, 446, [1000, 10], WHITE)
  }
  const window = (x: number, y: number, [w, h]: Point) => {
    rect(x - 10, y - 10, [w + 20, h + 20], WHITE)
    rect(x, y, [w, h], SKY[0])
    rect(x, y + h * 0.55, [w, h * 0.45], SKY[1])
    rect(x + w / 2 - 4, y, [8, h], WHITE)
  }
  const sofa = () => {
    rect(120, 400, [420, 90], mixColors(cloth, [0, 0, 0], 0.12))
    rect(130, 330, [400, 100], cloth)
    rect(100, 370, [50, 130], cloth)
    rect(510, 370, [50, 130], cloth)
    round(330, 590, [180, 36], mixColors(cloth, WHITE, 0.5))
  }
  const plant = (x: number, y: number) => {
    rect(x - 22, y, [44, 60], [170, 108, 80])
    for (const [dx, dy] of [
      [-30, -40],
      [0, -70],
      [30, -45],
      [-12, -24],
      [16, -20],
    ] as const)
      round(x + dx, y + dy, [24, 40], [88, 134, 92])
  }
  const PAINTERS: Record<string, () => void> = {
    livingRoom: () => {
      inside()
      window(620, 120, [230, 220])
      rect(250, 130, [170, 120], mixColors(cloth, WHITE, 0.6))
      sofa()
      plant(920, 420)
    },
    bedroom: () => {
      inside()
      window(80, 130, [190, 200])
      rect(400, 280, [440, 90], WOOD)
      rect(400, 360, [440, 150], WHITE)
      rect(400, 420, [440, 120], cloth)
      rect(440, 350, [140, 50], WHITE)
      rect(650, 350, [140, 50], WHITE)
      rect(870, 400, [80, 100], WOOD)
      round(910, 370, [30, 34], [246, 226, 170])
    },
    kitchen: () => {
      inside()
      rect(60, 100, [560, 110], mixColors(cloth, WHITE, 0.65))
      rect(60, 330, [700, 180], mixColors(cloth, WHITE, 0.4))
      rect(50, 315, [720, 24], [74, 76, 82])
      for (let i = 1; i < 5; i++) rect(60 + i * 140, 345, [5, 160], WHITE)
      rect(800, 150, [140, 360], [206, 210, 214])
      rect(250, 230, [190, 80], [236, 240, 240])
      round(160, 316, [40, 8], [40, 40, 44])
    },
    bathroom: () => {
      inside()
      for (let y = 0; y < 450; y += 60) rect(0, y, [1000, 3], WHITE, 0.8)
      round(330, 190, [110, 110], SKY[1])
      rect(200, 360, [260, 36], WHITE)
      rect(260, 396, [140, 100], mixColors(WOOD, WHITE, 0.2))
      rect(560, 420, [380, 110], WHITE)
      rect(580, 410, [340, 20], mixColors(SKY[0], WHITE, 0.5))
    },
    facade: () => {
      fillGradient(canvas, [0, 1], SKY)
      const stone = mixColors(pick('stone', WALLS), pick('tone', CLOTHS), 0.16)
      rect(200, 70, [600, 600], stone)
      rect(180, 55, [640, 26], mixColors(stone, [60, 50, 40], 0.3))
      const floors = int('floors', 3, 5)
      for (let row = 0; row < floors; row++)
        for (let column = 0; column < 4; column++) {
          const [x, y] = [250 + column * 135, 110 + (row * 430) / floors]
          rect(x, y, [80, 300 / floors], mixColors(SKY[0], [60, 80, 110], 0.4))
          rect(x - 8, y + 310 / floors, [96, 12], [90, 94, 100])
        }
      rect(450, 550, [100, 120], WOOD)
      rect(0, 640, [1000, 30], [120, 122, 126])
    },
    views: () => {
      fillGradient(canvas, [0, 0.6], SKY)
      fillGradient(
        canvas,
        [0.6, 1],
        [
          [150, 176, 130],
          [108, 142, 98],
        ],
      )
      for (let i = 0; i < 16; i++) {
        const high = 60 + chance(`roof ${i}`) * 170
        rect(i * 64, 460 - high, [58, high + 60], mixColors(wall, [150, 110, 90], chance(`tint ${i}`) * 0.6))
        fillPolygon(canvas, [at(i * 64 - 6, 460 - high), at(i * 64 + 64, 460 - high), at(i * 64 + 29, 425 - high)], {
          color: [176, 96, 72],
        })
      }
    },
    terrace: () => {
      fillGradient(canvas, [0, 0.62], SKY)
      fillGradient(
        canvas,
        [0.62, 1],
        [
          [204, 170, 136],
          [170, 134, 102],
        ],
      )
      for (let x = 0; x < 1000; x += 40) rect(x, 320, [6, 100], [96, 100, 106])
      rect(0, 312, [1000, 12], [96, 100, 106])
      round(480, 500, [130, 24], WOOD)
      rect(470, 500, [20, 110], WOOD)
      rect(280, 470, [90, 90], cloth)
      rect(600, 470, [90, 90], cloth)
      plant(860, 470)
    },
    plan: () => {
      fillGradient(canvas, [0, 1], [WHITE, WHITE])
      const wallColor: Color = [54, 58, 66]
      const line = (x: number, y: number, size: Point) => rect(x, y, size, wallColor)
      line(150, 90, [700, 10])
      line(150, 560, [700, 10])
      line(150, 90, [10, 480])
      line(840, 90, [10, 480])
      const middle = int('middle', 380, 600)
      line(middle, 90, [8, 200])
      line(middle, 360, [8, 200])
      line(150, 300, [middle - 230, 8])
      line(middle + 80, 340, [850 - middle - 80, 8])
      round(300, 440, [60, 36], [214, 218, 224])
      rect(middle + 90, 140, [130, 100], [214, 218, 224])
      rect(200, 130, [110, 80], [214, 218, 224])
    },
  }
  const paint = PAINTERS[tag] ?? PAINTERS.livingRoom
  paint?.()
  return encodePng(canvas, `${tag} of the made-up home ${code}`)
}

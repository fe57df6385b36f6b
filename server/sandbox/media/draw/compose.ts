import type { PixelSize } from '../../../tools/media/ratios'
import { drawFrom } from '../../seed'
import { ellipse, fillGradient, fillPolygon, makeCanvas, mixColors } from './canvas'
import { paintCity } from './city'
import { paletteFor } from './palette'
import { planImage } from './plan'
import { encodePng } from './png'
import {
  type Painting,
  paintAbstract,
  paintDunes,
  paintForest,
  paintHills,
  paintMountains,
  paintSea,
  paintSky,
  paintSnow,
  paintSpace,
} from './scenes'
import type { Motif } from './spot'

const HORIZONS: Record<string, number> = {
  sea: 0.58,
  city: 0.78,
  desert: 0.62,
  forest: 0.5,
  mountains: 0.72,
  snow: 0.64,
  hills: 0.62,
}

const PAINTERS: Record<string, (scene: Painting, horizon: number) => void> = {
  space: paintSpace,
  sea: paintSea,
  city: paintCity,
  forest: paintForest,
  desert: paintDunes,
  mountains: paintMountains,
  snow: (scene, horizon) => {
    paintMountains(scene, horizon - 0.05)
    paintSnow(scene, horizon)
  },
  hills: paintHills,
}

function paintScene(scene: Painting, name: string): void {
  const horizon = HORIZONS[name] ?? 0.6
  const paint = PAINTERS[name]
  if (!paint) {
    paintAbstract(scene)
    return
  }
  paintSky(scene, name === 'space' ? 1 : horizon)
  paint(scene, horizon)
}

/** An image of what a prompt's words name: the same prompt makes the same image. */
export function drawPrompt(prompt: string, size: PixelSize): Buffer {
  const plan = planImage(prompt)
  const draw = drawFrom(`image ${prompt.trim().toLowerCase()}`)
  const canvas = makeCanvas(size)
  const colors = paletteFor(plan, draw)
  const { width, height } = canvas
  const unit = Math.min(width, height)
  const scene: Painting = { canvas, colors, draw }
  if (plan.isLogo) {
    fillGradient(
      canvas,
      [0, 1],
      [
        [250, 248, 243],
        [238, 235, 228],
      ],
    )
    fillPolygon(canvas, ellipse(width / 2, height / 2, [unit * 0.42, unit * 0.42]), { color: colors.skyTop })
    fillPolygon(canvas, ellipse(width / 2, height / 2, [unit * 0.38, unit * 0.38]), {
      color: mixColors(colors.skyLow, colors.skyTop, 0.25),
    })
    const [motif] = plan.motifs
    if (motif) motif.paint({ canvas, colors, draw, x: width / 2, base: height / 2 + unit * 0.2, size: unit * 0.44 })
    else fillPolygon(canvas, ellipse(width / 2, height / 2, [unit * 0.16, unit * 0.16]), { color: colors.accent })
    return encodePng(canvas, prompt)
  }
  paintScene(scene, plan.scene)
  for (const [i, motif] of plan.motifs.entries()) {
    const size = unit * (motif.inSky ? 0.36 : motif.onWater ? 0.32 : 0.5)
    const base = height * (motif.inSky ? 0.5 : motif.onWater ? 0.72 : 0.84)
    const only = plan.motifs.length === 1
    const aside = only
      ? 0.34 + draw.chance('place') * 0.32
      : (i + 0.3 + draw.chance(`place ${i}`) * 0.4) / plan.motifs.length
    if (motif.inGroups) paintGroup(scene, motif.paint, { base, size })
    else motif.paint({ canvas, colors, draw, x: width * aside, base, size })
  }
  return encodePng(canvas, prompt)
}

/** Several of a kind, those behind smaller. */
function paintGroup(
  { canvas, colors, draw }: Painting,
  paint: Motif,
  { base, size }: { base: number; size: number },
): void {
  for (let n = 0; n < 9; n++) {
    const depth = n / 9
    const x = canvas.width * ((((n * 5) % 9) + 0.2 + draw.chance(`group x ${n}`) * 0.6) / 9)
    const own = drawFrom(`${draw.chance('group')} ${n}`)
    paint({ canvas, colors, draw: own, x, base: base - size * 0.28 * (1 - depth), size: size * (0.35 + depth * 0.4) })
  }
}

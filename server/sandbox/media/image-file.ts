import type { PixelSize } from '../../tools/media/ratios'
import { drawFrom } from '../kit/seed'
import { type Motif, paletteFor, planImage } from './plan'
import { motifAt, type Painting, sceneNamed } from './scenes'
import { band, ellipse, mixColors, type Point, renderPng } from './svg'

/** A PNG of what the prompt names, as far as a script can draw it; the same for the same prompt. */
export async function makeImageFile(prompt: string, size: PixelSize): Promise<Buffer> {
  const plan = planImage(prompt)
  const draw = drawFrom(`image ${prompt.trim().toLowerCase()}`)
  const scene: Painting = { size, colors: paletteFor(plan, draw), draw }
  const elements = plan.isLogo
    ? logo(scene, plan.motifs[0])
    : sceneNamed(scene, plan.scene) +
      plan.motifs.map((motif, i) => placed(motif, scene, [i, plan.motifs.length])).join('')
  return renderPng(elements, size, prompt)
}

function logo(scene: Painting, motif: Motif | undefined): string {
  const { colors, size } = scene
  const unit = Math.min(size.width, size.height)
  const middle: Point = [size.width / 2, size.height / 2]
  const disc = (part: number, color: string) => ellipse(middle, [unit * part, unit * part], color)
  return [
    band([0, 1], ['faf8f3', 'eeebe4']),
    disc(0.42, colors.skyTop),
    disc(0.38, mixColors(colors.skyLow, colors.skyTop, 0.25)),
    motif ? motifAt(motif, scene, [middle[0], middle[1] + unit * 0.2], unit * 0.44) : disc(0.16, colors.accent),
  ].join('')
}

/** A thing beside others of the scene, or several of a kind, those behind smaller. */
function placed(motif: Motif, scene: Painting, [index, count]: Point): string {
  const { width, height } = scene.size
  const { chance } = scene.draw
  const high = Math.min(width, height) * (motif.inSky ? 0.36 : motif.onWater ? 0.32 : 0.5)
  const base = height * (motif.inSky ? 0.5 : motif.onWater ? 0.72 : 0.84)
  if (motif.inGroups)
    return Array.from({ length: 9 }, (_, n) => {
      const x = width * ((((n * 5) % 9) + 0.2 + chance(`group x ${n}`) * 0.6) / 9)
      return motifAt(motif, scene, [x, base - high * 0.28 * (1 - n / 9)], high * (0.35 + (n / 9) * 0.4))
    }).join('')
  const aside = count === 1 ? 0.34 + chance('place') * 0.32 : (index + 0.3 + chance(`place ${index}`) * 0.4) / count
  return motifAt(motif, scene, [width * aside, base], high)
}

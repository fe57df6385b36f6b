import { drawFrom } from '../kit/seed'
import { fillDrawing, renderPng } from '../media/svg'
import photos from './photos.json'

/** The size that the drawings of the data file have. */
const SIZE = { width: 800, height: 533 }
const WALLS = ['ece6dc', 'e2e8e4', 'e8e0d4', 'dde4ec', 'f0ece6']
const FLOORS = ['ba9670', 'a08062', 'c8bcac', '8e7058']
const CLOTHS = ['52708a', '966054', '608068', 'b09868', '706484']

/** A photo of a home as a script can draw it: the same for the same home, number and tag. */
export function drawPhoto(code: string, tag: string): Promise<Buffer> {
  const { pick, chance } = drawFrom(`photo ${code}`)
  const drawing = (photos as Record<string, string>)[tag] ?? photos.livingRoom
  const filled = fillDrawing(drawing, {
    wall: pick('wall', WALLS),
    floor: pick('floor', FLOORS),
    cloth: pick('cloth', CLOTHS),
    stone: pick('stone', WALLS),
    tone: pick('tone', CLOTHS),
  })
  const mirrored = `<g transform="translate(${SIZE.width}) scale(-1 1)">${filled}</g>`
  return renderPng(chance('side') < 0.5 ? filled : mirrored, SIZE, `${tag} of the made-up home ${code}`)
}

import type { SandboxRoute } from '../kit/route'
import { drawFrom } from '../kit/seed'
import { fillDrawing, renderPng } from '../media/svg'
import { findRealAgency } from './agencies'
import { photoTag } from './home-forms'
import { findHome } from './homes'
import { agencyPage, homePage } from './pages'
import photos from './photos.json'

/** The size that the drawings of the data file have. */
const SIZE = { width: 800, height: 533 }
const WALLS = ['ece6dc', 'e2e8e4', 'e8e0d4', 'dde4ec', 'f0ece6']
const FLOORS = ['ba9670', 'a08062', 'c8bcac', '8e7058']
const CLOTHS = ['52708a', '966054', '608068', 'b09868', '706484']

/** A photo of a home as a script can draw it: the same for the same home, number and tag. */
function drawPhoto(code: string, tag: string): Promise<Buffer> {
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

const missing = () => new Response('Not found', { status: 404 })
/** What follows a path's first parts, such as the code and the number of a photo. */
const rest = (req: Request) => new URL(req.url).pathname.split('/').slice(3).filter(Boolean)

async function photo(req: Request): Promise<Response> {
  const [code = '', file = ''] = rest(req)
  const home = findHome(code)
  const isMadeUp = /^90\d{6}$/.test(code)
  const tag = home
    ? photoTag(home, Number.parseInt(file, 10))
    : isMadeUp
      ? 'livingRoom'
      : file === 'logo.png'
        ? 'facade'
        : undefined
  if (!tag) return missing()
  const bytes = new Uint8Array(await drawPhoto(code, tag))
  return new Response(bytes, { headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=86400' } })
}

function advertisement(req: Request): Response {
  const home = findHome(rest(req)[0] ?? '')
  return home ? homePage(home, new URL(req.url).origin) : missing()
}

function agency(req: Request): Response {
  const found = findRealAgency(rest(req)[0] ?? '')
  return found ? agencyPage(found) : missing()
}

/** Photos and pages that advertisements and agencies link to. */
export const idealistaWeb: SandboxRoute[] = [
  { method: 'GET', path: '/idealista/photos/*', handle: photo },
  { method: 'GET', path: '/idealista/inmueble/*', handle: advertisement },
  { method: 'GET', path: '/idealista/pro/*', handle: agency },
]

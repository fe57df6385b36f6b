import { htmlText } from '../kit/html'
import type { SandboxRoute } from '../kit/route'
import { drawFrom } from '../kit/seed'
import { fillDrawing, renderPng } from '../media/svg'
import { agencySize, findRealAgency, type RealAgency } from './agencies'
import { homeDetail, photoTag } from './home-forms'
import { adWords, phrasesOf } from './home-text'
import type { SimulatedHome } from './homes'
import { findHome } from './homes'
import photos from './photos.json'

const page = (title: string, body: string): Response =>
  new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${htmlText(title)}</title>
<style>body{font:16px/1.6 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#1f2328}img{max-width:100%;border-radius:8px;margin:0 8px 8px 0}
table{border-collapse:collapse}td{border-bottom:1px solid #ddd;padding:4px 16px 4px 0}aside{color:#57606a}</style>
<main><article><h1>${htmlText(title)}</h1>${body}</article><aside>A made-up page of the sandbox.</aside></main></html>`,
    { headers: { 'content-type': 'text/html; charset=utf-8' } },
  )

const rows = (cells: [string, unknown][]) =>
  cells.map(([name, value]) => `<tr><td>${name}</td><td>${htmlText(value)}</td></tr>`).join('')

function homePage(home: SimulatedHome, origin: string): Response {
  const ad = homeDetail(home, origin, 'en')
  const images = ad.multimedia.images
    .slice(0, 4)
    .map(({ url, localizedName }) => `<img width="390" src="${url}" alt="${htmlText(localizedName)}">`)
  const { commercialName, contactName } = ad.contactInfo
  const table = rows([
    ['Price', `${ad.price.toLocaleString('en')} ${ad.priceInfo.currencySuffix}`],
    ['Size', `${home.size} m²`],
    ['Bedrooms', home.rooms],
    ['Bathrooms', home.bathrooms],
    ['Where', `${ad.ubication.title}, ${ad.ubication.locationName}`],
    ['Features', phrasesOf(home, adWords('en')).join(', ')],
    ['Contact', commercialName ?? contactName],
    ['Reference', home.code],
  ])
  return page(
    ad.suggestedTexts.title,
    `<p>${htmlText(ad.propertyComment)}</p><table>${table}</table><p>${images.join('')}</p>`,
  )
}

const agencyPage = (agency: RealAgency): Response =>
  page(
    agency.name,
    `<p>An estate agency in ${htmlText(agency.province.shortName)} since ${agency.since}.</p><table>${rows([
      ['Phone', agency.phone],
      ['Address', `${agency.street} ${agency.streetNumber}, ${agency.postalCode} ${agency.province.shortName}`],
      ['Advertisements', agencySize(agency)],
    ])}</table>`,
  )

/** The size that the drawings of the data file have. */
const SIZE = { width: 800, height: 533 }
const WALLS = ['ece6dc', 'e2e8e4', 'e8e0d4', 'dde4ec', 'f0ece6']
const FLOORS = ['ba9670', 'a08062', 'c8bcac', '8e7058']
const CLOTHS = ['52708a', '966054', '608068', 'b09868', '706484']

/** A photo of a home as a script can draw it: the same for the same home, number and tag. */
function drawPhoto(code: string, tag: string): Promise<Buffer> {
  const { pick, chance } = drawFrom(`photo ${code}`)
  const drawing = (photos as Record<string, string>)[tag] ?? photos.livingRoom
  const colors = { wall: WALLS, floor: FLOORS, cloth: CLOTHS, stone: WALLS, tone: CLOTHS }
  const picked = Object.entries(colors).map(([name, list]) => [name, pick(name, list)])
  const filled = fillDrawing(drawing, Object.fromEntries(picked))
  const mirrored = `<g transform="translate(${SIZE.width}) scale(-1 1)">${filled}</g>`
  return renderPng(chance('side') < 0.5 ? filled : mirrored, SIZE, `${tag} of the made-up home ${code}`)
}

const missing = () => new Response('Not found', { status: 404 })
/** What follows a path's first parts, such as the code and the number of a photo. */
const rest = (req: Request) => new URL(req.url).pathname.split('/').slice(3).filter(Boolean)

async function photo(req: Request): Promise<Response> {
  const [code = '', file = ''] = rest(req)
  const home = findHome(code)
  const other = /^90\d{6}$/.test(code) ? 'livingRoom' : file === 'logo.png' ? 'facade' : undefined
  const tag = home ? photoTag(home, Number.parseInt(file, 10)) : other
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

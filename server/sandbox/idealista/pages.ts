import { agencySize, type RealAgency } from './agencies'
import { homeDetail } from './home-forms'
import { phrasesOf } from './home-text'
import type { SimulatedHome } from './homes'
import { adWords } from './words'

const escaped = (text: unknown): string =>
  String(text ?? '').replace(
    /[&<>"]/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? '',
  )

const page = (title: string, body: string): Response =>
  new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>
<style>body{font:16px/1.6 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#1f2328}img{max-width:100%;border-radius:8px;margin:0 8px 8px 0}
table{border-collapse:collapse}td{border-bottom:1px solid #ddd;padding:4px 16px 4px 0}aside{color:#57606a}</style>
<main><article><h1>${escaped(title)}</h1>${body}</article><aside>A made-up page of the sandbox.</aside></main></html>`,
    { headers: { 'content-type': 'text/html; charset=utf-8' } },
  )

const rows = (cells: [string, unknown][]) =>
  cells.map(([name, value]) => `<tr><td>${name}</td><td>${escaped(value)}</td></tr>`).join('')

/** The page of an advertisement. */
export function homePage(home: SimulatedHome, origin: string): Response {
  const ad = homeDetail(home, origin, 'en')
  const images = ad.multimedia.images
    .slice(0, 4)
    .map(({ url, localizedName }) => `<img width="390" src="${url}" alt="${escaped(localizedName)}">`)
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
    `<p>${escaped(ad.propertyComment)}</p><table>${table}</table><p>${images.join('')}</p>`,
  )
}

/** The page of an agency. */
export const agencyPage = (agency: RealAgency): Response =>
  page(
    agency.name,
    `<p>An estate agency in ${escaped(agency.province.shortName)} since ${agency.since}.</p><table>${rows([
      ['Phone', agency.phone],
      ['Address', `${agency.street} ${agency.streetNumber}, ${agency.postalCode} ${agency.province.shortName}`],
      ['Advertisements', agencySize(agency)],
    ])}</table>`,
  )

import { drawFrom } from '../kit/seed'
import { outletAt } from '../prose/names'
import { KINDS_OF } from '../prose/phrasebook'
import { type PageAddress, pagePath } from './address'
import { type GeneratedPage, generatedPage, pageSummary } from './generated'
import { htmlPage, htmlText } from './shell'

/** A generated page as HTML, among what pages have around an article. */
export function pageHtml(address: PageAddress): string {
  const { voice, title, outlet, author, published, summary, sections, related } = generatedPage(address)
  const day = new Date(published).toLocaleDateString(voice.locale, { day: 'numeric', month: 'long', year: 'numeric' })
  const head = `<meta name="author" content="${htmlText(author)}"><meta name="description" content="${htmlText(summary)}">
<meta property="article:published_time" content="${published}">`
  const main = `<article><h1>${htmlText(title)}</h1><p class="byline">${voice.book.labels.by} ${htmlText(author)} · <time datetime="${published}">${day}</time></p>
<p class="lead">${htmlText(summary)}</p>${sections.map(sectionHtml).join('')}</article>
<aside><h2>${voice.book.labels.related}</h2><ul>${related.map(linkHtml).join('')}</ul></aside>`
  return htmlPage({
    title: `${title} | ${outlet}`,
    outlet,
    home: homeOf(address.host),
    language: voice.locale,
    head,
    main,
  })
}

/** What an outlet's front page lists. */
const FRONT_TOPICS = [
  'night trains in Europe',
  'sourdough bread',
  'heat pumps',
  'toll roads in the Alps',
  'public libraries',
  'best walking shoes',
  'learning Portuguese',
  'electric bikes',
]

/** The front page of an outlet: some of what it has, of all kinds. */
export function frontPageHtml(host: string): string {
  const { name } = outletAt(host)
  const links = FRONT_TOPICS.map((text, at) => {
    const address = { host, kind: drawFrom(`front ${host} ${at}`).pick('kind', KINDS_OF.general), text }
    return linkHtml({ ...address, title: pageSummary(address).title })
  })
  const main = `<h1>${htmlText(name)}</h1><ul>${links.join('')}</ul>`
  return htmlPage({ title: name, outlet: name, home: homeOf(host), language: 'en', head: '', main })
}

const homeOf = (host: string): string => `/site/${host}/`

const linkHtml = ({ title, ...address }: PageAddress & { title: string }): string =>
  `<li><a href="${htmlText(pagePath(address))}">${htmlText(title)}</a></li>`

function sectionHtml({ heading, text, table }: GeneratedPage['sections'][number]): string {
  const [head = [], ...rows] = table ?? []
  const cells = (row: string[], tag: string) => `<tr>${row.map((c) => `<${tag}>${htmlText(c)}</${tag}>`).join('')}</tr>`
  const body = rows.map((row) => cells(row, 'td')).join('')
  return `<h2>${htmlText(heading)}</h2><p>${htmlText(text)}</p>${
    table ? `<div class="wide"><table><thead>${cells(head, 'th')}</thead><tbody>${body}</tbody></table></div>` : ''
  }`
}

import { drawFrom } from '../kit/seed'
import { outletAt } from '../prose/names'
import { KINDS_OF } from '../prose/phrasebook'
import { type PageAddress, pagePath } from './address'
import { type GeneratedPage, generatedPage, pageSummary } from './generated'
import looks from './looks.json'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text as it is written in HTML, attributes included. */
const htmlText = (text: string): string => text.replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark)

const STYLE = looks.page.join('\n')

type Shell = { title: string; outlet: string; home: string; language: string; head: string; main: string }

/** A whole page: everything around the article. `title` and `outlet` are text, the rest HTML. */
const htmlPage = ({ title, outlet, home, language, head, main }: Shell): string => `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${htmlText(title)}</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><meta property="og:site_name" content="${htmlText(outlet)}">${head}
<style>${STYLE}</style></head><body>
<header><div class="in"><b><a href="${home}">${htmlText(outlet)}</a></b><nav><a href="${home}">Front page</a></nav>
<p class="notice">A page of the sandbox: people, figures and prices are simulated.</p></div></header>
<main class="in">${main}</main>
<footer><div class="in">${htmlText(outlet)} does not exist. Nothing here is a fact.</div></footer>
</body></html>`

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

/** The front page of an outlet: some of what it has, of all kinds. */
export function frontPageHtml(host: string): string {
  const { name } = outletAt(host)
  const links = looks.frontTopics.map((text, at) => {
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

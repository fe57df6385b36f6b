import { drawFrom } from '../kit/seed'
import { outletAt } from '../prose/names'
import { KINDS_OF } from '../prose/phrasebook'
import { type PageAddress, pagePath } from './address'
import { type GeneratedPage, generatedPage, pageSummary } from './generated'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text as it is written in HTML, attributes included. */
const htmlText = (text: string): string => text.replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark)

const STYLE = `:root{color-scheme:light dark;--ink:#1d2327;--soft:#5d6870;--line:#d9dee2;--paper:#fff;--band:#f4f6f7;--link:#0b5cad}
@media(prefers-color-scheme:dark){:root{--ink:#e4e8eb;--soft:#98a3ab;--line:#343c42;--paper:#14181b;--band:#1c2226;--link:#7db8f2}}
body{box-sizing:border-box;margin:0;font:17px/1.65 Georgia,"Times New Roman",serif;color:var(--ink);background:var(--paper)}
a{color:var(--link)}header,footer{background:var(--band);font:14px/1.5 system-ui,sans-serif}
header{border-bottom:1px solid var(--line)}footer{border-top:1px solid var(--line);color:var(--soft)}
.in{max-width:44rem;margin:0 auto;padding:.9rem 1.25rem}header .in{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:baseline}
header b{font-size:17px;margin-right:auto}header b a{color:var(--ink);text-decoration:none}.notice{flex-basis:100%;margin:0;color:var(--soft)}
main{padding-top:1.5rem;padding-bottom:3rem}h1{font-size:2rem;line-height:1.2;margin:.2em 0 .4em;overflow-wrap:anywhere}h2{font-size:1.3rem;line-height:1.3;margin:2em 0 .4em}
p{margin:0 0 1em}.byline{color:var(--soft);font:14px/1.5 system-ui,sans-serif}.lead{font-size:1.15rem}
.wide{overflow-x:auto}table{border-collapse:collapse;font:15px/1.5 system-ui,sans-serif;margin:1em 0 1.5em;min-width:60%}
th,td{border-bottom:1px solid var(--line);padding:.45rem 1.5rem .45rem 0;text-align:left}th{color:var(--soft);font-weight:600}
aside{border-top:1px solid var(--line);margin-top:2.5rem;font:15px/1.6 system-ui,sans-serif}aside h2{font-size:1rem}aside ul{padding-left:1.1rem}`

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

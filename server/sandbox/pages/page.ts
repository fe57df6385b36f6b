import { htmlText, tableHtml } from '../kit/html'
import { type Draw, drawFrom } from '../kit/seed'
import { DAY_MS, daysAgo } from '../kit/time'
import { factsOf } from '../prose/facts'
import { outletAt, personOf } from '../prose/names'
import { KINDS_OF, type SectionId } from '../prose/phrasebook'
import { articleAbout, summaryAbout } from '../prose/text'
import { type Topic, topicOf } from '../prose/topic'
import { formatMoney, type Voice, voiceOf } from '../prose/voices'
import { editionOf, type PageAddress, pagePath } from './address'
import looks from './looks.json'

type GeneratedPage = ReturnType<typeof generatedPage>

/** Pages that are no news were written in the months before this day. */
const LAST_DAY = Date.UTC(2026, 10, 1)

function settingOf({ host, kind, text }: PageAddress, topic = topicOf(text)) {
  const seed = `${host} ${text}`
  return { topic, seed, draw: drawFrom(`page ${kind} ${seed}`), voice: voiceOf(editionOf(host)) }
}

/** News are of the last days, most of them of the last week: up to 40 days old. */
const NEWS_DAYS = 40

/** When a page was written. News keep their age: whoever asks for what is new finds some. */
function publishedAt(kind: PageAddress['kind'], draw: Draw): string {
  const minute = draw.int('minute', 360, 1_200)
  if (kind !== 'news') return at(LAST_DAY - draw.int('age', 12, 290) * DAY_MS, minute)
  const age = Math.floor(draw.int('age', 0, NEWS_DAYS) ** 2 / NEWS_DAYS)
  return at(daysAgo(age), age === 0 ? 0 : minute)
}

const at = (day: number, minute: number) => new Date(day + minute * 60_000).toISOString()

/** What a search says of a page. `topic` is that of its text. */
export function pageSummary(address: PageAddress, topic?: Topic) {
  const { topic: about, seed, draw, voice } = settingOf(address, topic)
  return { ...summaryAbout(about, address.kind, { seed, voice }), published: publishedAt(address.kind, draw) }
}

/** The page at an address: the same text each time. */
function generatedPage(address: PageAddress) {
  const { host, kind } = address
  const { topic, seed, draw, voice } = settingOf(address)
  const { title, summary, sections } = articleAbout(topic, kind, { seed, voice })
  return {
    voice,
    title,
    outlet: outletAt(host).name,
    author: personOf(`author ${host} ${draw.int('author', 1, 4)}`).name,
    published: publishedAt(kind, draw),
    summary,
    sections: sections.map((section) => ({ ...section, ...tableOf(topic, section.id, voice) })),
    related: relatedTo(topic, address),
  }
}

function tableOf(topic: Topic, id: SectionId, voice: Voice): { table?: string[][] } {
  const { options, yearly, cost } = factsOf(topic)
  const { labels } = voice.book
  if (id === 'numbers') {
    return { table: [[labels.year, labels.count], ...yearly.map(({ year, count }) => [`${year}`, `${count}`])] }
  }
  if (id !== 'options') return {}
  const head = [labels.option, labels.score, labels.since, labels.cost]
  const rows = options.map(({ name, score, since, cost: price }) => [
    ...[name, score.toFixed(1), `${since}`, formatMoney(price, voice)],
  ])
  return { table: [head, ...rows].map((row) => (cost ? row : row.slice(0, 3))) }
}

/** Other pages of the same outlet about the same subject. */
const relatedTo = (topic: Topic, { host, kind, text }: PageAddress) =>
  KINDS_OF[topic.intent]
    .filter((other) => other !== kind)
    .slice(0, 4)
    .map((other) => ({ host, kind: other, text, title: pageSummary({ host, kind: other, text }, topic).title }))

const STYLE = looks.page.join('\n')

type Shell = { title: string; outlet: string; host: string; language: string; head: string; main: string }

/** A whole page: everything around the article. `title` and `outlet` are text, the rest HTML. */
const htmlPage = ({ title, outlet, host, language, head, main }: Shell): string => `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${htmlText(title)}</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><meta property="og:site_name" content="${htmlText(outlet)}">${head}
<style>${STYLE}</style></head><body>
<header><div class="in"><b><a href="/site/${host}/">${htmlText(outlet)}</a></b><nav><a href="/site/${host}/">Front page</a></nav>
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
  return htmlPage({ title: `${title} | ${outlet}`, outlet, host: address.host, language: voice.locale, head, main })
}

/** The front page of an outlet: some of what it has, of all kinds. */
export function frontPageHtml(host: string): string {
  const { name } = outletAt(host)
  const links = looks.frontTopics.map((text, at) => {
    const address = { host, kind: drawFrom(`front ${host} ${at}`).pick('kind', KINDS_OF.general), text }
    return linkHtml({ ...address, title: pageSummary(address).title })
  })
  const main = `<h1>${htmlText(name)}</h1><ul>${links.join('')}</ul>`
  return htmlPage({ title: name, outlet: name, host, language: 'en', head: '', main })
}

const linkHtml = ({ title, ...address }: PageAddress & { title: string }): string =>
  `<li><a href="${htmlText(pagePath(address))}">${htmlText(title)}</a></li>`

const sectionHtml = ({ heading, text, table }: GeneratedPage['sections'][number]): string =>
  `<h2>${htmlText(heading)}</h2><p>${htmlText(text)}</p>${table ? `<div class="wide">${tableHtml(table)}</div>` : ''}`

import { toMarkdown } from './markdown'
import { countShownWords } from './measure-text'
import { chooseContent, type Way } from './reader/choose'
import { clean } from './reader/clean'
import { lineOf, makeAbsolute, parseDocument } from './reader/document'
import { needsScript } from './reader/needs-script'
import { structuredData } from './reader/structured-data'
import { stripCode } from './strip-code'

/**
 * Parsing, scoring and converting cost more than their size says: these keep hostile pages to a
 * second or so.
 */
const MAX_CHARS = 2 * 1024 * 1024
const MAX_TAGS = 40_000
const MAX_DEPTH = 200

/** Elements without content, and those whose end tag is commonly left out: they do not nest. */
const FLAT = new Set(
  'area base br col embed hr img input link meta source track wbr p li dt dd tr td th thead tbody tfoot option'.split(
    ' ',
  ),
)

/** Cuts a page where it grows too long, too many-parted or too deep. One pass over the text. */
function truncateHtml(html: string): { html: string; cut: boolean } {
  const short = html.slice(0, MAX_CHARS)
  const tags = /<(\/?)([a-z][a-z0-9-]*)?/gi
  let count = 0
  let depth = 0
  for (let tag = tags.exec(short); tag; tag = tags.exec(short)) {
    count++
    const name = tag[2]?.toLowerCase()
    if (name && !FLAT.has(name)) depth = Math.max(0, depth + (tag[1] ? -1 : 1))
    if (count > MAX_TAGS || depth > MAX_DEPTH) return { html: short.slice(0, tag.index), cut: true }
  }
  return { html: short, cut: short.length < html.length }
}

export type Article = {
  title: string | null
  author: string | null
  siteName: string | null
  /** ISO 8601. */
  publishedAt: string | null
  language: string | null
  markdown: string
  /** Which candidate the content is from. */
  method: Way
  /** The page has little text and scripts that would write more. */
  needsScript: boolean
  /** True when the page was too long or too deep to be taken whole. */
  cut: boolean
}

/**
 * Content of fewer words is compared with the whole body, in case too much was taken for a frame.
 */
const FEW_WORDS = 10

/**
 * The content of a page as Markdown with absolute links and what its JSON-LD says, without what
 * surrounds it; the whole body where nothing else is left. Throws.
 */
export function extractArticle(html: string, pageUrl: string): Article {
  const { html: bounded, cut } = truncateHtml(withoutOwnElements(stripCode(html)))
  const { markdown, data, ...found } = convert(bounded, pageUrl)
  const words = countShownWords(markdown)
  const isByScript = needsScript(html, words + countShownWords(data))
  const whole = words < FEW_WORDS && !isByScript ? wholeBody(bounded, pageUrl) : ''
  const isWhole = countShownWords(whole) >= FEW_WORDS
  return {
    ...found,
    ...(isWhole && { method: 'page' }),
    markdown: [isWhole ? whole : markdown, data].filter(Boolean).join('\n\n'),
    needsScript: isByScript,
    cut,
  }
}

/** `data`: what the page's JSON-LD says, as Markdown. */
function convert(html: string, pageUrl: string): Omit<Article, 'cut' | 'needsScript'> & { data: string } {
  const document = parseDocument(html)
  makeAbsolute(document, pageUrl)
  const language = textOrNull(document.documentElement?.getAttribute('lang'))
  const title = textOrNull(document.querySelector('title')?.textContent)
  clean(document, pageUrl)
  const data = structuredData(document, document.body?.textContent ?? '')
  // Readability rearranges the document it is given: it comes last.
  const { read, html: content, method } = chooseContent(document)
  return {
    title: textOrNull(read?.title) ?? title,
    author: textOrNull(read?.byline),
    siteName: textOrNull(read?.siteName),
    publishedAt: isoOrNull(read?.publishedTime),
    language: textOrNull(read?.lang) ?? language,
    markdown: toMarkdown(content),
    method,
    data,
  }
}

/** Elements of a page's own making are inline to a converter, and mostly blocks on the page. */
const withoutOwnElements = (html: string): string =>
  html.replace(/<(\/?)[a-z][a-z0-9]{0,40}-[a-z0-9-]{0,80}/gi, '<$1div')

function wholeBody(html: string, pageUrl: string): string {
  const document = parseDocument(html)
  makeAbsolute(document, pageUrl)
  for (const el of document.querySelectorAll('noscript')) el.remove()
  return toMarkdown(document.body?.innerHTML ?? '')
}

const textOrNull = (text: string | null | undefined): string | null => lineOf(text) || null

function isoOrNull(text: string | null | undefined): string | null {
  const time = new Date(text ?? '')
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import { toMarkdown } from './markdown'
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
  /** True when the page was too long or too deep to be taken whole. */
  cut: boolean
}

/** What Readability looks at, at most: beyond it a page is a list, not an article. */
const MAX_ELEMENTS = 20_000

/**
 * The readable part of a page as Markdown with absolute links; the whole body where no article is
 * found. Throws.
 */
export function extractArticle(html: string, pageUrl: string): Article {
  const bounded = truncateHtml(stripCode(html))
  return { ...convert(bounded.html, pageUrl), cut: bounded.cut }
}

function convert(html: string, pageUrl: string): Omit<Article, 'cut'> {
  const document = parse(html)
  makeAbsolute(document, pageUrl)
  const language = textOrNull(document.documentElement?.getAttribute('lang'))
  const title = textOrNull(document.querySelector('title')?.textContent)
  // Readability rearranges the document it is given, so what is needed afterwards is taken first.
  for (const el of document.querySelectorAll('noscript')) el.remove()
  const body = document.body?.innerHTML ?? ''
  const read = document.getElementsByTagName('*').length > MAX_ELEMENTS ? null : readArticle(document)
  const markdown = toMarkdown(read?.content ?? '') || toMarkdown(body)
  return {
    title: textOrNull(read?.title) ?? title,
    author: textOrNull(read?.byline),
    siteName: textOrNull(read?.siteName),
    publishedAt: isoOrNull(read?.publishedTime),
    language: textOrNull(read?.lang) ?? language,
    markdown,
  }
}

/** linkedom wants a whole document, or it takes the first element for the root. */
function parse(html: string): Document {
  const isWhole = /<html[\s>]/i.test(html)
  return parseHTML(isWhole ? withBody(html) : `<!doctype html><html><body>${html}</body></html>`).document
}

/** A page may leave the tags of its body out, and linkedom then finds an empty one. */
function withBody(html: string): string {
  const lower = html.toLowerCase()
  if (/<(body|frameset)[\s>]/.test(lower)) return html
  const headEnd = lower.indexOf('</head>')
  const at = headEnd < 0 ? lower.indexOf('>', lower.indexOf('<html')) + 1 : headEnd + '</head>'.length
  return `${html.slice(0, at)}<body>${html.slice(at)}`
}

function readArticle(document: Document) {
  try {
    return new Readability(document).parse()
  } catch {
    return null
  }
}

const LINKS: [selector: string, attribute: string][] = [
  ['a[href]', 'href'],
  ['img[src]', 'src'],
]

function makeAbsolute(document: Document, pageUrl: string): void {
  const base = resolve(document.querySelector('base[href]')?.getAttribute('href') ?? '', pageUrl) ?? pageUrl
  for (const [selector, attribute] of LINKS) {
    for (const el of document.querySelectorAll(selector)) {
      const target = resolve(el.getAttribute(attribute) ?? '', base)
      if (target) el.setAttribute(attribute, target)
      else el.removeAttribute(attribute)
    }
  }
}

/** The absolute form of a link that a reader can follow; null for scripts and inline data. */
function resolve(link: string, base: string): string | null {
  if (!URL.canParse(link, base)) return null
  const url = new URL(link, base)
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null
}

const textOrNull = (text: string | null | undefined): string | null => text?.replace(/\s+/g, ' ').trim() || null

function isoOrNull(text: string | null | undefined): string | null {
  const time = new Date(text ?? '')
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

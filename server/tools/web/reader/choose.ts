import { Readability } from '@mozilla/readability'
import { countWords } from '../measure-text'
import { measure } from './measure'

/** How the content of a page was found. */
export type Way = 'article' | 'main' | 'page'

export type Chosen = {
  method: Way
  html: string
  /** What Readability found out about the page, whichever way was chosen. */
  read: ReturnType<Readability['parse']>
}

/** What Readability looks at, at most: beyond it a page is a list, not an article. */
const MAX_ELEMENTS = 20_000
/** What a narrower candidate must keep of the wider one to be taken for it. */
const KEEPS = 0.9
/** `main` says what the page is about, unless most of the page's text is elsewhere. */
const MAIN_SHARE = 0.5

/**
 * The narrowest candidate that loses nothing: the article that Readability finds, the page's
 * `main`, or all that is left of its body. Uses up the document, which is clean already.
 */
export function chooseContent(document: Document): Chosen {
  const { body } = document
  if (!body) return { method: 'page', html: '', read: null }
  const main = mainOf(body)
  // Readability then sees the main part only, so that what it finds is never wider.
  if (main) body.replaceChildren(...main)
  const wide = { method: main ? ('main' as const) : ('page' as const), html: body.innerHTML }
  const whole = contentOf(body)
  if (document.getElementsByTagName('*').length > MAX_ELEMENTS) return { ...wide, read: null }
  const read = readArticle(document)
  if (!read?.content) return { ...wide, read }
  const holder = document.createElement('div')
  holder.innerHTML = read.content
  // The heading, which Readability takes out, is the title.
  return keeps(contentOf(holder, read.title ?? ''), whole) >= KEEPS
    ? { method: 'article', html: read.content, read }
    : { ...wide, read }
}

/** The part that says it is the main one, with a heading that stands before it. */
function mainOf(body: Element): Element[] | null {
  const measures = measure(body)
  const wordsOf = (el: Element) => measures.get(el)?.words ?? 0
  const marked = [...body.querySelectorAll('main,[role=main],[itemprop=articleBody],[itemprop=mainEntity]')]
  const articles = [...body.querySelectorAll('article')]
  const found = [...marked, ...(articles.length === 1 ? articles : [])].sort((a, b) => wordsOf(b) - wordsOf(a))[0]
  if (!found || wordsOf(found) < wordsOf(body) * MAIN_SHARE) return null
  const h1 = body.querySelector('h1')
  const before = found.querySelector('h1') || !h1 || found.contains(h1) ? null : (h1.closest('header') ?? h1)
  return before && !before.contains(found) ? [before, found] : [found]
}

const PRICE =
  /(?:[$€£¥₹]|\b(?:USD|EUR|GBP|CHF|JPY)\b)\s?\d[\d.,]*|\d[\d.,]*\s?(?:[€£¥₹]|(?:USD|EUR|GBP|CHF|JPY|kr|zł)\b)/g

type Content = { words: number; prices: Set<string>; items: number }

function contentOf(el: Element, titled = ''): Content {
  const prices = [...(el.textContent ?? '').matchAll(PRICE)].map(([price]) => price.replace(/\s/g, ''))
  return {
    words: (measure(el).get(el)?.words ?? 0) + countWords(titled),
    prices: new Set(prices),
    items: el.querySelectorAll('li,tr,dt,h2,h3').length,
  }
}

/**
 * What one candidate has of another's words, prices, and items, rows and headings: the least of
 * the three.
 */
function keeps(part: Content, whole: Content): number {
  const share = (some: number, all: number) => (all === 0 ? 1 : some / all)
  const prices = [...whole.prices].filter((price) => part.prices.has(price)).length
  return Math.min(share(part.words, whole.words), share(prices, whole.prices.size), share(part.items, whole.items))
}

function readArticle(document: Document) {
  try {
    return new Readability(document).parse()
  } catch {
    return null
  }
}

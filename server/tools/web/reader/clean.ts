import { nameVerdict } from './boilerplate-names'
import { lineOf } from './document'
import { linkShare, type Measure, measure } from './measure'
import { isHidden, rename, unfold } from './unfold'

/** A part with more of the page's words than this is not dropped for its name alone. */
const MAX_SHARE = 0.45
const LINKY = 0.5

const ROLES = new Set([
  'navigation',
  'search',
  'contentinfo',
  'dialog',
  'alertdialog',
  'menu',
  'menubar',
  'tablist',
  'toolbar',
  'complementary',
])
const BLOCKS = 'div,section,aside,ul,ol,p,td,header,footer,form'

/**
 * Takes out of a document what surrounds its content: navigation, banners, advertising, footers and
 * what is hidden. What is folded, such as the answers of an FAQ, is opened.
 */
export function clean(document: Document, pageUrl: string): void {
  const { body } = document
  if (!body) return
  for (const el of document.querySelectorAll('noscript')) el.remove()
  unfold(body)
  const measures = measure(body)
  const all = measures.get(body)?.words ?? 0
  const headed = aroundHeadings(body)
  const look = (el: Element): void => {
    const found = measures.get(el) ?? { words: 0, linkWords: 0 }
    if (found.words <= all * MAX_SHARE && isBoilerplate(el, found, headed.has(el))) el.remove()
    else for (const child of [...el.children]) look(child)
  }
  for (const child of [...body.children]) look(child)
  dropOffers(body)
  dropLinkBars(body)
  dropHomeLinks(body, pageUrl)
  // Readability takes every `aside` for something beside the article; what is left of them is not.
  for (const aside of body.querySelectorAll('aside')) rename(aside, 'div')
}

function isBoilerplate(el: Element, found: Measure, isHeaded: boolean): boolean {
  const tag = el.tagName
  if (tag === 'NAV' || tag === 'DIALOG' || isHidden(el)) return true
  if (isHeaded) return false
  const role = el.getAttribute('role') ?? ''
  if (tag === 'ASIDE' || role === 'complementary') return isAsideBoilerplate(el, found)
  if (ROLES.has(role)) return true
  if (tag === 'FOOTER') return el.closest('article,blockquote,figure,li') === null || linkShare(found) >= LINKY
  if ((tag === 'HEADER' || role === 'banner') && el.closest('article,main,[role=main],li') === null) return true
  if (isCookieNotice(el, found) || isSmallPrint(el, found)) return true
  const verdict = nameVerdict(el)
  if (verdict === null || el.querySelector('main,[role=main]') !== null) return false
  if (verdict === 'always') return true
  return linkShare(found) >= LINKY && el.querySelector('table,article,[itemprop=price]') === null
}

/**
 * The page's headings and all that they are in. The site's name that leads to its front page is
 * none.
 */
function aroundHeadings(body: Element): Set<Element> {
  const around = new Set<Element>()
  for (const heading of body.querySelectorAll('h1')) {
    const link = heading.querySelector('a[href]')
    const isLogo =
      link !== null && lineOf(link.textContent) === lineOf(heading.textContent) && heading.closest('header') !== null
    for (let el: Element | null = isLogo ? null : heading; el && !around.has(el); el = el.parentElement) around.add(el)
  }
  return around
}

const NOTE = /\b(?:note|tip|hint|warning|caution|important|info|callout|admonition)\b/i

/** A note inside an article, and a box of facts beside it, are content. */
function isAsideBoilerplate(el: Element, found: Measure): boolean {
  if (nameVerdict(el) === 'always') return true
  if (linkShare(found) >= LINKY) return true
  if (NOTE.test(el.className) || el.querySelector('dl,table,[itemprop],blockquote') !== null) return false
  return el.closest('article,main,[role=main]') === null
}

const COOKIES = /\bcookies?\b/i
const ASKS =
  /\b(?:accept|agree|consent|allow|reject|decline|preferences|settings|we use|would like to set|uses? cookies|akzeptieren|zustimmen|ablehnen|accepter|refuser|aceptar|rechazar|accetta|rifiuta|aceitar|accepteren)/i

/** A small block that asks for cookies. A recipe for some asks nothing. */
function isCookieNotice(el: Element, { words }: Measure): boolean {
  if (words < 3 || words > 150 || !el.matches(BLOCKS)) return false
  const text = lineOf(el.textContent)
  if (!COOKIES.test(text) || !ASKS.test(text)) return false
  // An article about them is longer, or has headings.
  const isShort = words < 40 || el.querySelector('h1,h2,table') === null
  return isShort && (el.querySelector('button,[role=button],a') !== null || (words < 40 && !el.closest('article')))
}

const SMALL_PRINT =
  /^(©|\(c\) |copyright\b)|\ball rights reserved\b|^(skip to (main )?content|back to top|advertisement|sponsored|share this|follow us|print|load more)\b.{0,40}$/i

/** Copyright lines and lone links of the page's frame. */
const isSmallPrint = (el: Element, { words }: Measure): boolean =>
  words > 0 && words <= 30 && el.children.length <= 12 && SMALL_PRINT.test(lineOf(el.textContent))

const OFFERS =
  /^(related|recommended|you (may|might) (also )?(like|enjoy)|customers (also|who)|more (from|like|stories|in)\b|trending|most (read|popular)|popular (posts|articles|now)|read (next|more)|recently viewed|similar (products|items|jobs|posts|questions)|keep reading|up next|share (this|on)|sign up|subscribe|join our|get (our|the) newsletter|newsletter|follow us|hot network|sponsored|from our partners|about the author|leave a (comment|reply))/i

/** Sections that offer other pages, which only their heading gives away. */
function dropOffers(body: Element): void {
  const words = measure(body)
  const all = words.get(body)?.words ?? 0
  for (const heading of body.querySelectorAll('h2,h3,h4,h5,h6')) {
    if (!heading.parentElement || !OFFERS.test(lineOf(heading.textContent))) continue
    const parent = heading.parentElement
    const isFirst = parent.firstElementChild === heading && parent.matches('div,section,aside,form,td,li')
    if (isFirst && (words.get(parent)?.words ?? 0) <= all * MAX_SHARE && !parent.querySelector('h1')) {
      parent.remove()
      continue
    }
    const level = Number(heading.tagName[1])
    for (let next = heading.nextElementSibling; next; next = heading.nextElementSibling) {
      if (/^H[1-6]$/.test(next.tagName) && Number(next.tagName[1]) <= level) break
      if ((words.get(next)?.words ?? 0) > all * MAX_SHARE) break
      const found = words.get(next)
      const isOffer = found === undefined || linkShare(found) >= LINKY || found.words <= 40
      if (!isOffer) break
      next.remove()
    }
    heading.remove()
  }
}

const MIN_LINKS = 4

/** Rows of short links outside the content: the navigation of pages that name it nothing. */
function dropLinkBars(body: Element): void {
  const measures = measure(body)
  const all = measures.get(body)?.words ?? 0
  for (const el of body.querySelectorAll('ul,ol,div,td,p,center')) {
    if (el.closest('main,[role=main],article')) continue
    const found = measures.get(el)
    if (!found || found.words === 0 || found.words > all * 0.3 || linkShare(found) < 0.8) continue
    const links = el.querySelectorAll('a[href]').length
    if (links < MIN_LINKS || found.words / links > 3 || el.querySelector('h1,h2,h3,h4,img,table')) continue
    const before = (el.previousElementSibling ?? el.parentElement?.previousElementSibling)?.tagName ?? ''
    if (!/^H[1-6]$/.test(before)) el.remove()
  }
}

/** The name of the site that leads to its front page, and nothing beside it. */
function dropHomeLinks(body: Element, pageUrl: string): void {
  const home = new URL('/', pageUrl).href
  for (const link of body.querySelectorAll('a[href]')) {
    const block = link.parentElement
    if (link.getAttribute('href') !== home || !block || link.closest('article,main,[role=main],li')) continue
    if (lineOf(block.textContent) === lineOf(link.textContent)) link.remove()
  }
}

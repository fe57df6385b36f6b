import { lineOf } from './document'
import { measure } from './measure'

/** A form with more words than this is a page in a form, as some frameworks make them. */
const FORM_WORDS = 40

/**
 * Opens what a reader of the page can open, so that it is content: answers behind their questions,
 * panels of tabs. Takes forms and buttons away from around text.
 */
export function unfold(body: Element): void {
  const controlled = new Set(
    [...body.querySelectorAll('[aria-controls]')].flatMap((el) =>
      (el.getAttribute('aria-controls') ?? '').split(/\s+/),
    ),
  )
  for (const el of body.querySelectorAll('[hidden],[aria-hidden],[style]')) {
    const isPanel =
      el.getAttribute('role') === 'tabpanel' ||
      el.getAttribute('hidden') === 'until-found' ||
      (el.id !== '' && controlled.has(el.id))
    if (isPanel && el.closest('nav,header') === null) show(el)
  }
  const measures = measure(body)
  const all = measures.get(body)?.words ?? 0
  for (const form of [...body.querySelectorAll('form')].reverse()) {
    const words = measures.get(form)?.words ?? 0
    const isPage = words > all / 2 || (words > FORM_WORDS && form.querySelector('h1,h2,table,article,main') !== null)
    if (isPage) rename(form, 'div')
  }
  for (const button of body.querySelectorAll('button')) {
    if (button.closest('nav,header') !== null) continue
    const heading = button.closest('h1,h2,h3,h4,h5,h6,dt,summary,th')
    const isHeading = heading !== null && lineOf(heading.textContent) === lineOf(button.textContent)
    if (isHeading || (!heading && button.hasAttribute('aria-expanded'))) rename(button, heading ? 'span' : 'p')
  }
  for (const link of body.querySelectorAll('a[href]')) if (isMarker(link)) link.remove()
  for (const summary of body.querySelectorAll('summary'))
    rename(summary, summary.querySelector('h1,h2,h3,h4,h5,h6') ? 'div' : 'h4')
  separate(body)
}

/** A link to its own place, or with nothing to read: `§`, `#`, an icon. */
const isMarker = (link: Element): boolean =>
  /^[§#¶🔗↩]?$/u.test(lineOf(link.textContent)) && link.querySelector('img,video') === null

function show(el: Element): void {
  el.removeAttribute('hidden')
  el.removeAttribute('aria-hidden')
  el.removeAttribute('style')
}

export const isHidden = (el: Element): boolean =>
  el.hasAttribute('hidden') ||
  (el.getAttribute('aria-hidden') === 'true' && el.closest('math') === null) ||
  /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test((el.getAttribute('style') ?? '').slice(0, 500))

/** Gives an element another tag; of its attributes only the names stay. */
export function rename(el: Element, tag: string): void {
  const renamed = el.ownerDocument.createElement(tag)
  for (const name of ['id', 'class']) {
    const value = el.getAttribute(name)
    if (value) renamed.setAttribute(name, value)
  }
  for (const child of [...el.childNodes]) renamed.appendChild(child)
  el.replaceWith(renamed)
}

const INLINE = new Set(['SPAN', 'A', 'DATA', 'TIME', 'STRONG', 'B', 'SMALL'])

/**
 * Puts a space between words that only the page's layout keeps apart:
 * `<span>Mug</span><span>£9</span>`.
 */
function separate(body: Element): void {
  for (const el of body.querySelectorAll('span,a,data,strong,b,small')) {
    const next = el.nextSibling
    if (next?.nodeType !== 1 || !INLINE.has((next as Element).tagName) || el.closest('pre,code')) continue
    const left = (el.textContent ?? '').at(-1) ?? ''
    const right = (next.textContent ?? '').at(0) ?? ''
    if (areTwoWords(left, right)) el.after(' ')
  }
}

const areTwoWords = (left: string, right: string): boolean =>
  (/[\p{L}.!?)\]:]/u.test(left) && /[\p{L}\p{Sc}\p{N}]/u.test(right)) ||
  (/\p{N}/u.test(left) && /[\p{L}]{1}/u.test(right) && left !== '')

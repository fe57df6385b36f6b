import { countWords } from '../measure-text'

/** How much an element holds, with all that is inside it. */
export type Measure = { words: number; linkWords: number }

export type Measures = Pick<WeakMap<Element, Measure>, 'get'>

const NOT_READ = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'IFRAME', 'SVG'])
const TEXT = 3
const ELEMENT = 1

/** The words of every element below `root`, and how many of them are links: one pass. */
export function measure(root: Element): Measures {
  const measures = new WeakMap<Element, Measure>()
  const visit = (el: Element, isLinked: boolean): Measure => {
    const sum: Measure = { words: 0, linkWords: 0 }
    measures.set(el, sum)
    if (NOT_READ.has(el.tagName.toUpperCase())) return sum
    const linked = isLinked || (el.tagName === 'A' && el.hasAttribute('href'))
    for (const child of el.childNodes) {
      if (child.nodeType === ELEMENT) {
        const { words, linkWords } = visit(child as Element, linked)
        sum.words += words
        sum.linkWords += linkWords
      } else if (child.nodeType === TEXT) {
        const words = countWords(child.textContent ?? '')
        sum.words += words
        if (linked) sum.linkWords += words
      }
    }
    return sum
  }
  visit(root, false)
  return measures
}

export const linkShare = ({ words, linkWords }: Measure): number => (words === 0 ? 0 : linkWords / words)

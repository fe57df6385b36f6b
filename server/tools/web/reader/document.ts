import { parseHTML } from 'linkedom'

/** A page as a document. linkedom wants a whole one, or it takes the first element for the root. */
export function parseDocument(html: string): Document {
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

const LINKS: [selector: string, attribute: string][] = [
  ['a[href]', 'href'],
  ['img[src]', 'src'],
]

/** Makes the links and images of a page absolute, and takes away those that nobody can follow. */
export function makeAbsolute(document: Document, pageUrl: string): void {
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

/** The text of an element in one line. */
export const lineOf = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim()

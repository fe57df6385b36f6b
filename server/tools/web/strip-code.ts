const DROPPED = ['script', 'style', 'svg', 'template', 'iframe']
const CLOSING = new Map(DROPPED.map((name) => [name, new RegExp(`</${name}`, 'gi')]))
/** Where a tag's attributes are looked through for its type. */
const ATTRIBUTE_CHARS = 300

/**
 * Cuts scripts, styles and drawings out of HTML before it is parsed, in one pass however many tags
 * are left open. JSON-LD stays: it says who wrote the page, and when.
 */
export function stripCode(html: string): string {
  const opening = new RegExp(`<(${DROPPED.join('|')})(?=[\\s/>])`, 'gi')
  const kept: string[] = []
  let from = 0
  for (let match = opening.exec(html); match; match = opening.exec(html)) {
    const opened = html.indexOf('>', match.index)
    const after = opened < 0 ? -1 : endOf(html, (match[1] ?? '').toLowerCase(), opened)
    const tag = html.slice(match.index, Math.min(opened, match.index + ATTRIBUTE_CHARS))
    const isData = opened > 0 && tag.toLowerCase().includes('ld+json')
    if (!isData) kept.push(html.slice(from, match.index))
    // An element left open swallows the rest, as it does in a browser.
    if (after < 0) return kept.join('')
    if (!isData) from = after
    opening.lastIndex = after
  }
  return kept.join('') + html.slice(from)
}

/** The place behind an element's end tag; -1 where it has none. */
function endOf(html: string, name: string, from: number): number {
  const closing = CLOSING.get(name)
  if (!closing) return -1
  closing.lastIndex = from
  const closed = closing.exec(html)
  const after = closed ? html.indexOf('>', closed.index) : -1
  return after < 0 ? -1 : after + 1
}

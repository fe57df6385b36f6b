const DROPPED = ['script', 'style', 'svg', 'template', 'iframe']

/**
 * Cuts scripts, styles and drawings out of HTML before it is parsed, in one pass however many tags are left open.
 * JSON-LD stays: it says who wrote the page, and when.
 */
export function stripCode(html: string): string {
  const lower = html.toLowerCase()
  const opening = new RegExp(`<(${DROPPED.join('|')})(?=[\\s/>])`, 'g')
  const kept: string[] = []
  let from = 0
  for (let match = opening.exec(lower); match; match = opening.exec(lower)) {
    const close = `</${match[1]}`
    const opened = lower.indexOf('>', match.index)
    const closed = opened < 0 ? -1 : lower.indexOf(close, opened)
    const after = closed < 0 ? -1 : lower.indexOf('>', closed)
    const data = opened > 0 && lower.slice(match.index, Math.min(opened, match.index + 300)).includes('ld+json')
    if (!data) kept.push(html.slice(from, match.index))
    // An element left open swallows the rest, as it does in a browser.
    if (after < 0) return kept.join('')
    if (!data) from = after + 1
    opening.lastIndex = after + 1
  }
  return kept.join('') + html.slice(from)
}

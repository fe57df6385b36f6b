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
export function truncateHtml(html: string): { html: string; cut: boolean } {
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

/** Levels of lists and quotations that are drawn; the parser needs quadratic time for more. */
const MAX_LEVELS = 10
/** Columns by which a list item may be indented: a level takes two to four. */
const MAX_INDENT = 24

const FENCE = /^ {0,3}(```|~~~)/
/** A marker of a quotation or a list item with the blanks behind it. */
const MARKER = /(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]*/y

/** Where the markers at a text's beginning end: the last that is drawn, and the last of all. */
function endsOfMarkers(text: string): { kept: number; all: number } {
  const ends = { kept: 0, all: 0 }
  MARKER.lastIndex = 0
  for (let levels = 1; MARKER.test(text); levels++) {
    ends.all = MARKER.lastIndex
    if (levels <= MAX_LEVELS) ends.kept = ends.all
  }
  return ends
}

function limitLine(line: string): string {
  const text = line.trimStart()
  const { kept, all } = endsOfMarkers(text)
  if (all === 0) return line
  const indent = Math.min(MAX_INDENT, line.length - text.length)
  return line.slice(0, indent) + text.slice(0, kept) + text.slice(all)
}

/** Markdown whose lists and quotations are nested no deeper than can be drawn at once. */
export function limitNesting(markdown: string): string {
  let fence: string | null = null
  const lines = markdown.split('\n').map((line) => {
    const mark = FENCE.exec(line)?.[1] ?? null
    if (mark !== null && (fence === null || fence === mark)) fence = fence === null ? mark : null
    return fence === null ? limitLine(line) : line
  })
  return lines.join('\n')
}

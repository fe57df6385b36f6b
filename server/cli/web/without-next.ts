/** A document without the parts that begin and end so. An end that is missing ends the search. */
function without(html: string, begin: string, end: string): string {
  const kept: string[] = []
  let at = 0
  for (;;) {
    const start = html.indexOf(begin, at)
    const stop = start < 0 ? -1 : html.indexOf(end, start)
    if (stop < 0) return kept.join('') + html.slice(at)
    kept.push(html.slice(at, start))
    at = stop + end.length
  }
}

/** What belongs to Next's scripts. The text of a script never contains the end tag. */
const PARTS = [
  ['<script', '</script>'],
  ['<link rel="preload" as="script"', '>'],
  ['<link rel="modulepreload"', '>'],
] as const

/** The script that keeps what somebody does before the others are there: the layout marks it. */
function earlyScript(html: string): string {
  const start = html.indexOf('<script data-early')
  const end = '</script>'
  const stop = html.indexOf(end, start)
  return start < 0 || stop < 0 ? '' : html.slice(start, stop + end.length)
}

/** Pages that a link leads to are fetched when someone is about to follow it. */
const PREFETCH = JSON.stringify({
  prefetch: [
    {
      where: { and: [{ href_matches: ['/', '/docs', '/docs/*'] }, { not: { href_matches: '/docs/*.md' } }] },
      eagerness: 'moderate',
    },
  ],
})

/**
 * A public page as Next rendered it, with the script of its islands (its address) in the place of
 * Next's runtime and of the data that React would hydrate it with. It keeps the script for early
 * input.
 */
export function withoutNext(html: string, script: string, nonce: string): string {
  const own =
    earlyScript(html) +
    `<script type="module" src="${script}" nonce="${nonce}"></script>` +
    `<script type="speculationrules" nonce="${nonce}">${PREFETCH}</script>`
  const document = PARTS.reduce((text, [begin, end]) => without(text, begin, end), html)
  return document.replace('</head>', () => `${own}</head>`)
}

const SCRIPT = '<script'
const SCRIPT_END = '</script>'

/** A document without its script elements. The text of a script never contains the end tag. */
function withoutScripts(html: string): string {
  const kept: string[] = []
  let at = 0
  for (;;) {
    const start = html.indexOf(SCRIPT, at)
    const end = start < 0 ? -1 : html.indexOf(SCRIPT_END, start)
    if (end < 0) return kept.join('') + html.slice(at)
    kept.push(html.slice(at, start))
    at = end + SCRIPT_END.length
  }
}

/** A document without the links that have its scripts loaded early. */
const withoutPreloads = (html: string): string =>
  html.replaceAll(/<link rel="(?:modulepreload|preload" as="script)"[^>]*>/g, '')

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
 * Next's runtime and of the data that React would hydrate it with.
 */
export function withoutNext(html: string, script: string, nonce: string): string {
  const own =
    `<script type="module" src="${script}" nonce="${nonce}"></script>` +
    `<script type="speculationrules" nonce="${nonce}">${PREFETCH}</script>`
  return withoutPreloads(withoutScripts(html)).replace('</head>', () => `${own}</head>`)
}

import { tableHtml } from '../kit/html'
import articles from './articles.json'
import looks from './looks.json'

/** A simulated page: found by search, and served. */
export type SimulatedPage = (typeof articles)[number]

export const simulatedPages: readonly SimulatedPage[] = articles

const linksTo = (slugs: readonly SimulatedPage[]): string =>
  slugs.map(({ slug, title }) => `<li><a href="/site/${slug}">${title}</a></li>`).join('')

const shell = (title: string, head: string, main: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><meta property="og:site_name" content="The Sandbox Gazette">${head}
<style>${looks.gazette}</style>
</head><body>
<header><nav><a href="/site/">Front page</a><a href="/site/about">About</a><a href="/site/subscribe">Subscribe now!</a></nav></header>
<div class="cookies">We would like to set cookies. <button>Accept</button></div>
<main>${main}</main>
<footer><p>The Sandbox Gazette is simulated, and so is everything it says.</p></footer>
<script>document.title = document.title + ''</script>
</body></html>`

/** The front page: links to every article. */
export const frontPage = (): string =>
  shell('The Sandbox Gazette', '', `<h1>The Sandbox Gazette</h1><ul>${linksTo(simulatedPages)}</ul>`)

/** An article among the clutter real pages have: navigation, a cookie banner, related links. */
export function articlePage(page: SimulatedPage): string {
  const { title, author, published, summary, paragraphs, table } = page
  const head = `<meta name="author" content="${author}"><meta name="description" content="${summary}">
<meta property="article:published_time" content="${published}">`
  const [first = '', ...rest] = paragraphs.map((text) => `<p>${text}</p>`)
  const others = linksTo(simulatedPages.filter((other) => other !== page))
  return shell(
    `${title} | The Sandbox Gazette`,
    head,
    `<article><h1>${title}</h1><p class="byline">By ${author}</p>${first}${table ? tableHtml(table) : ''}${rest.join('')}
<p>More in <a href="/site/">the front page</a>.</p></article><aside><h2>Related</h2><ul>${others}</ul></aside>`,
  )
}

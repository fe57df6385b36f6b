/** A simulated page: found by search, and served. */
export type SimulatedPage = {
  slug: string
  title: string
  author: string
  published: string
  summary: string
  paragraphs: string[]
  table?: string[][]
}

export const simulatedPages: readonly SimulatedPage[] = [
  {
    slug: 'tide-mills',
    title: 'How tide mills kept time with the moon',
    author: 'Ines Valcourt',
    published: '2026-03-02T08:00:00Z',
    summary:
      'A tide mill stores the flood behind a gate and grinds on the ebb, twice a day and an hour later each day.',
    paragraphs: [
      'A tide mill has no river. It closes a gate behind the flood, waits until the sea has fallen below the wheel, and then lets the pond run out through a narrow race. The miller works when the moon says so, which is an hour later every day and in the middle of the night every other week.',
      'The ponds were large for the power they gave. A wheel of four metres under a head of one and a half turned two pairs of stones for perhaps five hours, twice a day. What made the mills worth their dykes was that the hours could be read from a table years ahead, while a drought could not.',
      'The last of them ground animal feed until the roof went. Where a pond is left, the gate often still swings by itself on the turn of the tide.',
    ],
    table: [
      ['Mill', 'Pond (ha)', 'Wheels'],
      ['North Quay', '6.5', '2'],
      ['Saltmarsh', '11', '3'],
      ['Old Ferry', '4', '1'],
    ],
  },
  {
    slug: 'paper-maps',
    title: 'Folding paper maps without tears',
    author: 'Tomas Reye',
    published: '2026-05-14T09:30:00Z',
    summary: 'Why a map that folds in one pull wears out at two points only, and how to repair those before they go.',
    paragraphs: [
      'A map folded in right angles wears where four panels meet, because each of these points is bent in both directions every time. A map folded at a slant opens in one pull and closes in one push, and it bends each crease in one direction only.',
      'The price is that the creases do not line up with the grid. On a walk this matters less than it seems: nobody measures across a crease, and the two corners by which the sheet is pulled can be covered with linen tape before they tear.',
      'Tape the corners when the map is new. Later the paper fibres around the hole have gone, and tape only moves the tear to its own edge.',
    ],
  },
  {
    slug: 'night-trains',
    title: 'A short register of night trains',
    author: 'Mirela Anton',
    published: '2026-07-21T17:45:00Z',
    summary: 'Which lines still run overnight, how long they take and what a berth costs.',
    paragraphs: [
      'A night train is worth its berth when the line is between eight and twelve hours long. Shorter, and the passengers are woken before they have slept; longer, and the morning is spent on board as well. Most of the lines that were given up lay outside these limits.',
      'The register below lists the lines of an invented railway, with their running time and the price of a berth in a cabin of four. Trains carry a carriage with seats as well, which is cheaper and which nobody recommends.',
      'Tickets open ninety days ahead. Berths on Fridays are gone within a week of that, those on Tuesdays hardly ever.',
    ],
    table: [
      ['Line', 'Hours', 'Berth'],
      ['Harbour to Highmoor', '9', '49'],
      ['Eastgate to Lakes', '11', '59'],
      ['Capital to Coast', '8', '39'],
    ],
  },
]

const tableOf = ([head = [], ...rows]: string[][]): string => {
  const row = (cells: string[], tag: string) => `<tr>${cells.map((c) => `<${tag}>${c}</${tag}>`).join('')}</tr>`
  return `<table><thead>${row(head, 'th')}</thead><tbody>${rows.map((r) => row(r, 'td')).join('')}</tbody></table>`
}

const linksTo = (slugs: readonly SimulatedPage[]): string =>
  slugs.map(({ slug, title }) => `<li><a href="/site/${slug}">${title}</a></li>`).join('')

const shell = (title: string, head: string, main: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><meta property="og:site_name" content="The Sandbox Gazette">${head}
<style>body{font:18px/1.6 Georgia,serif;margin:0;color:#222;background:#fff}header,footer{background:#234;color:#fff;padding:1rem 2rem}header a{color:#fff;margin-right:1rem}main{max-width:42rem;margin:2rem auto;padding:0 1rem}.cookies{position:fixed;bottom:0;width:100%;background:#fc3;padding:1rem}table{border-collapse:collapse}td,th{border:1px solid #999;padding:.2rem .6rem}@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}}</style>
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
    `<article><h1>${title}</h1><p class="byline">By ${author}</p>${first}${table ? tableOf(table) : ''}${rest.join('')}
<p>More in <a href="/site/">the front page</a>.</p></article><aside><h2>Related</h2><ul>${others}</ul></aside>`,
  )
}

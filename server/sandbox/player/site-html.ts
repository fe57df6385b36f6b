import { chanceOf } from '../kit/seed'
import type { BarChart, Chapter, ReportBlock } from './chapter'

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A line of Markdown as the chapters write it: links, bold words and code. */
const inline = (text: string): string =>
  escapeHtml(text)
    .replaceAll(/\[([^[\]]*)\]\((https?:[^\s()]+)\)/g, '<a href="$2">$1</a>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')

const cells = (tag: 'th' | 'td', row: readonly string[]) =>
  `<tr>${row.map((text) => `<${tag}>${inline(text)}</${tag}>`).join('')}</tr>`

function chartHtml({ title, unit = '', rows }: BarChart): string {
  const highest = Math.max(...rows.map(([, value]) => Math.abs(value)), 1)
  const bars = rows.map(
    ([label, value]) =>
      `<div class="bar"><span>${escapeHtml(label)}</span><i style="width:${Math.round((Math.abs(value) / highest) * 100)}%"></i><b>${value.toLocaleString('en-US')} ${escapeHtml(unit)}</b></div>`,
  )
  return `<figure><figcaption>${escapeHtml(title)}</figcaption>${bars.join('')}</figure>`
}

function blockHtml(block: ReportBlock): string {
  switch (block.kind) {
    case 'text':
      return `<p>${inline(block.text)}</p>`
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>`
    case 'table':
      return `<div class="wide"><table>${cells('th', block.head)}${block.rows.map((row) => cells('td', row)).join('')}</table></div>`
    case 'chart':
      return chartHtml(block.chart)
    case 'image':
      return `<img src="${escapeHtml(block.url)}" alt="${escapeHtml(block.alt)}">`
    default:
      return block satisfies never
  }
}

/** The style sheet of a site; its colour depends on its name. */
export function siteCss(slug: string): string {
  const hue = Math.floor(chanceOf(`site ${slug}`) * 360)
  return `:root{color-scheme:light dark;--ink:light-dark(#1c2330,#e8ebf2);--paper:light-dark(#fbfbfd,#12151c);--line:light-dark(#dfe3ec,#2b3140);--accent:light-dark(hsl(${hue} 60% 36%),hsl(${hue} 70% 72%))}
*{box-sizing:border-box}
body{margin:0;font:17px/1.6 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
header{padding:4.5rem 1.5rem 3rem;background:linear-gradient(135deg,hsl(${hue} 62% 30%),hsl(${(hue + 50) % 360} 62% 42%));color:#fff}
header>*,main,footer{max-width:46rem;margin-inline:auto}
h1{font-size:clamp(2rem,6vw,3.2rem);line-height:1.1;margin:0 auto .6rem;text-wrap:balance}
@media(min-width:50rem){main,footer{box-sizing:content-box}}
main{padding:2rem 1.5rem}
h2{margin:2.4rem 0 .6rem;font-size:1.35rem}
a{color:var(--accent)}
img{max-width:100%;height:auto;border-radius:12px}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.95rem}
th,td{text-align:left;padding:.5rem .6rem;border-bottom:1px solid var(--line)}
figure{margin:1.5rem 0}
figcaption{font-weight:600;margin-bottom:.5rem}
.bar{display:grid;grid-template-columns:minmax(4rem,8rem) 1fr auto;gap:.6rem;align-items:center;margin:.3rem 0;font-size:.92rem}
.bar i{height:1rem;border-radius:4px;background:var(--accent)}
footer{padding:2rem 1.5rem 3rem;font-size:.9rem;opacity:.75}`
}

/** A page of chapters. */
export function sitePage({
  title,
  intro,
  chapters,
}: {
  title: string
  intro: string
  chapters: readonly Chapter[]
}): string {
  const sections = chapters
    .filter(({ lead, blocks }) => lead !== '' || blocks.length > 0)
    .map(
      ({ title: head, lead, blocks }) =>
        `<section><h2>${escapeHtml(head)}</h2>${lead ? `<p>${inline(lead)}</p>` : ''}${blocks.map(blockHtml).join('')}</section>`,
    )
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><link rel="stylesheet" href="style.css"></head>
<body>
<header><h1>${escapeHtml(title)}</h1><p>${escapeHtml(intro)}</p></header>
<main>${sections.join('\n')}</main>
<footer><p>Made by the sandbox’s script from simulated data.</p></footer>
</body>
</html>
`
}

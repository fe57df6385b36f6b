import { chanceOf } from '../kit/seed'
import type { BarChart, Chapter, ReportBlock } from './chapter'
import tables from './words.json'

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
  const css = tables.siteCss.join('\n')
  return css.replaceAll('{hue}', String(hue)).replaceAll('{other}', String((hue + 50) % 360))
}

export type SiteText = { title: string; intro: string; chapters: readonly Chapter[] }

/** A page of chapters. */
export function sitePage({ title, intro, chapters }: SiteText): string {
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

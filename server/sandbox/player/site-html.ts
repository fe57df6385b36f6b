import { htmlText, rowHtml } from '../kit/html'
import { chanceOf } from '../kit/seed'
import { type BarChart, type Chapter, type ReportBlock, withContent } from './chapter'
import tables from './words.json'

/** A line of Markdown as the chapters write it: links, bold words and code. */
const inline = (text: string): string =>
  htmlText(text)
    .replaceAll(/\[([^[\]]*)\]\((https?:[^\s()]+)\)/g, '<a href="$2">$1</a>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')

function chartHtml({ title, unit = '', rows }: BarChart): string {
  const highest = Math.max(...rows.map(([, value]) => Math.abs(value)), 1)
  const bars = rows.map(
    ([label, value]) =>
      `<div class="bar"><span>${htmlText(label)}</span><i style="width:${Math.round((Math.abs(value) / highest) * 100)}%"></i><b>${value.toLocaleString('en-US')} ${htmlText(unit)}</b></div>`,
  )
  return `<figure><figcaption>${htmlText(title)}</figcaption>${bars.join('')}</figure>`
}

function blockHtml(block: ReportBlock): string {
  switch (block.kind) {
    case 'text':
      return `<p>${inline(block.text)}</p>`
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>`
    case 'table':
      return `<div class="wide"><table>${rowHtml(block.head, 'th', inline)}${block.rows.map((row) => rowHtml(row, 'td', inline)).join('')}</table></div>`
    case 'chart':
      return chartHtml(block.chart)
    case 'image':
      return `<img src="${htmlText(block.url)}" alt="${htmlText(block.alt)}">`
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
  const sections = withContent(chapters).map(
    ({ title: head, lead, blocks }) =>
      `<section><h2>${htmlText(head)}</h2>${lead ? `<p>${inline(lead)}</p>` : ''}${blocks.map(blockHtml).join('')}</section>`,
  )
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${htmlText(title)}</title><link rel="stylesheet" href="style.css"></head>
<body>
<header><h1>${htmlText(title)}</h1><p>${htmlText(intro)}</p></header>
<main>${sections.join('\n')}</main>
<footer><p>Made by the sandbox’s script from simulated data.</p></footer>
</body>
</html>
`
}

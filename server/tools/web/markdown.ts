import { highlightedCodeBlock, strikethrough, taskListItems } from '@joplin/turndown-plugin-gfm'
import TurndownService from 'turndown'
import { trimEnd } from '../../kit/trim-end'

const turndown = new TurndownService({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
  hr: '---',
})
turndown.use([highlightedCodeBlock, strikethrough, taskListItems, tables])
turndown.remove(['script', 'style', 'noscript', 'iframe', 'form', 'button', 'select', 'input', 'textarea', 'nav'])

/** HTML as GitHub-flavoured Markdown. */
export const toMarkdown = (html: string): string =>
  html === ''
    ? ''
    : turndown
        .turndown(html)
        .split('\n')
        .map((line) => trimEnd(line, ' \t'))
        .join('\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim()

/**
 * Tables in time that grows with their size; the plugin's own look at the whole table for every
 * cell. The first row is the header. A row of one cell is layout, not data: its content stands by
 * itself.
 */
function tables(service: TurndownService): void {
  const begun = new WeakSet<Node>()
  service.addRule('cell', {
    filter: ['th', 'td'],
    replacement: (content, node) =>
      isOnlyCell(node) ? `\n\n${content}\n\n` : ` ${inOneLine(content).replaceAll('|', '\\|')} |`,
  })
  service.addRule('row', {
    filter: 'tr',
    replacement: (content, node) => {
      if (node.firstElementChild === null || isOnlyCell(node.firstElementChild)) return content
      const table = node.closest('table') ?? node
      const isFirst = !begun.has(table)
      begun.add(table)
      const rule = isFirst ? `\n|${' --- |'.repeat(node.children.length)}` : ''
      return `\n|${content}${rule}\n`
    },
  })
  service.addRule('rows', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content })
  service.addRule('table', { filter: 'table', replacement: (content) => `\n\n${content.trim()}\n\n` })
  service.addRule('caption', { filter: 'caption', replacement: (content) => `\n\n${content.trim()}\n\n` })
}

const inOneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')

const isOnlyCell = (cell: Element): boolean => cell.previousElementSibling === null && cell.nextElementSibling === null

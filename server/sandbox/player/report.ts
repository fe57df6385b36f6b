import { type Chapter, type ReportBlock, withContent } from './chapter'

const SCRIPT_NOTE =
  '_Written by the sandbox’s script, which plays an agent by fixed rules and is no language model; the data it found is simulated._'

const cell = (text: string) => text.replaceAll('|', '\\|')
const tableLine = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`

/** A block as Markdown. A chart is a block of code that pages draw. */
function blockMarkdown(block: ReportBlock): string {
  switch (block.kind) {
    case 'text':
      return block.text
    case 'list':
      return block.items.map((item) => `- ${item}`).join('\n')
    case 'table':
      return [tableLine(block.head), tableLine(block.head.map(() => '---')), ...block.rows.map(tableLine)].join('\n')
    case 'chart':
      return `\`\`\`chart\n${JSON.stringify({ type: 'bar', ...block.chart })}\n\`\`\``
    case 'image':
      return `![${block.alt}](${block.url})`
    default:
      return block satisfies never
  }
}

const listSection = (title: string, lines: ReadonlySet<string>) =>
  lines.size > 0 ? [`## ${title}\n\n${blockMarkdown({ kind: 'list', items: [...lines] })}`] : []

/** Chapters as Markdown, without what the answer adds. */
const chaptersMarkdown = (chapters: readonly Chapter[]): string =>
  withContent(chapters)
    .map(({ title, lead, blocks }) => [`## ${title}`, lead, ...blocks.map(blockMarkdown)].filter(Boolean).join('\n\n'))
    .join('\n\n')

/** The answer: chapters, what was assumed, what was not found, and who wrote it. */
export const writeReport = (chapters: readonly Chapter[]): string =>
  [
    chaptersMarkdown(chapters) || 'Nothing was found that answers this.',
    ...listSection('Assumed', new Set(chapters.flatMap(({ assumed }) => assumed))),
    ...listSection('Not found', new Set(chapters.flatMap(({ gaps }) => gaps))),
    SCRIPT_NOTE,
  ].join('\n\n')

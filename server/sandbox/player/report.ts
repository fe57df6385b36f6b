import type { Chapter, ReportBlock } from './chapter'

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

const blockSection = (title: string, lines: readonly string[]) =>
  lines.length > 0 ? [`## ${title}\n\n${lines.map((line) => `- ${line}`).join('\n')}`] : []

/** Chapters as Markdown, without what the answer adds. */
const chaptersMarkdown = (chapters: readonly Chapter[]): string =>
  chapters
    .filter(({ lead, blocks }) => lead !== '' || blocks.length > 0)
    .map(({ title, lead, blocks }) =>
      [`## ${title}`, ...(lead ? [lead] : []), ...blocks.map(blockMarkdown)].join('\n\n'),
    )
    .join('\n\n')

/** The answer: chapters, what was assumed, what was not found, and who wrote it. */
export function writeReport(chapters: readonly Chapter[], extra: { gaps: readonly string[] }): string {
  const body = chaptersMarkdown(chapters)
  return [
    ...(body === '' ? ['Nothing was found that answers this.'] : [body]),
    ...blockSection('Assumed', [...new Set(chapters.flatMap(({ assumed }) => assumed))]),
    ...blockSection('Not found', [...new Set([...chapters.flatMap(({ gaps }) => gaps), ...extra.gaps])]),
    SCRIPT_NOTE,
  ].join('\n\n')
}

import { describeCatalog } from '../catalog/describe'
import { llmsIndex } from '../catalog/llms'
import { catalogMarkdown } from '../catalog/markdown'
import { curlBlock, tableBlock, typeBlock } from '../catalog/markdown-blocks'
import { env } from '../env'
import { readChangelog } from './changelog'
import { getGuideMarkdown, listGuides } from './guides'
import { getToolGuide } from './tools'

/** A tool's page as Markdown. Throws `not_found`. */
function toolMarkdown(id: string): string {
  const { label, group, description, credits, params, result, mcp, example } = getToolGuide(id)
  const price = credits === null ? 'metered' : `${credits} ${credits === 1 ? 'credit' : 'credits'}`
  const rows = params.map((p) => [`\`${p.name}\``, `\`${p.type}\``, p.required ? 'yes' : 'no', p.description])
  return `${[
    `# ${id}`,
    `${label} (${group}), ${price} a call${mcp ? '' : ', not over MCP'}. ${description}`,
    tableBlock(['Parameter', 'Type', 'Required', 'Description'], rows),
    curlBlock(`${env().PUBLIC_URL}/api/v1/query`, { tool: id, params: example }),
    'Returns, with `service.credits_charged` added:',
    typeBlock(`type Result = ${result}`),
  ].join('\n\n')}\n`
}

/** What language models read first: what this is, and where the whole of it can be read. */
export const docsIndex = async (): Promise<string> => llmsIndex(await listGuides())

/** Lists, which language models read as the whole. */
const WHOLE = ['api', 'tools', 'reference']

/**
 * A page of the documentation as Markdown: `index`, `changelog`, the lists `api`, `tools` and
 * `reference`, which are one document, `tools/<id>`, or a guide's slug. Throws `not_found`.
 */
export async function getDocsMarkdown(page: string): Promise<string> {
  if (page === 'index') return docsIndex()
  if (page === 'changelog') return readChangelog()
  if (WHOLE.includes(page)) return catalogMarkdown(describeCatalog())
  const [folder, tool] = page.split('/')
  return folder === 'tools' && tool ? toolMarkdown(tool) : getGuideMarkdown(page)
}

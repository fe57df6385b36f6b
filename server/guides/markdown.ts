import { describeCatalog } from '../catalog/describe'
import { llmsIndex } from '../catalog/llms'
import { catalogMarkdown } from '../catalog/markdown'
import { getGuideMarkdown, listGuides } from './guides'
import { toolMarkdown } from './tool-markdown'

/** What language models read first: what this is, and where the whole of it can be read. */
export const docsIndex = async (): Promise<string> => llmsIndex(await listGuides())

/** Lists, which language models read as the whole. */
const WHOLE = ['api', 'tools', 'reference']

/**
 * A page of the documentation as Markdown: `index`, the lists `api`, `tools` and `reference`, which
 * are one document, `tools/<id>`, or a guide's slug. Throws `not_found`.
 */
export async function getDocsMarkdown(page: string): Promise<string> {
  if (page === 'index') return docsIndex()
  if (WHOLE.includes(page)) return catalogMarkdown(describeCatalog())
  const [folder, tool] = page.split('/')
  return folder === 'tools' && tool ? toolMarkdown(tool) : getGuideMarkdown(page)
}

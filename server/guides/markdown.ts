import { describeCatalog } from '../catalog/describe'
import { llmsIndex } from '../catalog/llms'
import { catalogMarkdown } from '../catalog/markdown'
import { getGuideMarkdown, listGuides } from './guides'

/** What language models read first: what this is, and where the whole of it can be read. */
export const docsIndex = async (): Promise<string> => llmsIndex(await listGuides())

/**
 * A page of the documentation as Markdown: `index`, `api`, or a guide's slug. Throws `not_found`.
 */
export async function getDocsMarkdown(page: string): Promise<string> {
  if (page === 'index') return docsIndex()
  if (page === 'api') return catalogMarkdown(describeCatalog())
  return getGuideMarkdown(page)
}

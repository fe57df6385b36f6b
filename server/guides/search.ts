import { describeTool } from '../catalog/describe'
import { availableTools } from '../tools/registry'
import { getGuide, listGuides } from './guides'
import { readableText } from './readable-text'
import { type Guide, headingId, type SearchEntry } from './shape'

/** A guide as one text with its headings, and code as it is written. */
const textOf = ({ blocks }: Guide): string =>
  blocks
    .map((block) => (block.kind === 'text' ? block.markdown : block.examples.map(({ code }) => code).join('\n')))
    .join('\n')

/** The sections of a guide; the first is what comes before any heading. */
function sectionsOf(guide: Guide): SearchEntry[] {
  const { slug, title, summary } = guide
  const [head = '', ...sections] = textOf(guide).split(/^(?=##+ )/m)
  return [
    { url: `/docs/${slug}`, page: title, heading: '', text: `${summary} ${readableText(head)}` },
    ...sections.map((section) => {
      const [line = '', ...rest] = section.split('\n')
      const heading = readableText(line)
      return { url: `/docs/${slug}#${headingId(heading)}`, page: title, heading, text: readableText(rest.join('\n')) }
    }),
  ]
}

/** Every section of the guides, and every tool. */
export async function docsSearchEntries(): Promise<SearchEntry[]> {
  const guides = await Promise.all((await listGuides()).map(({ slug }) => getGuide(slug)))
  const tools = availableTools()
    .map(describeTool)
    .map(({ id, label, description, params }) => ({
      url: `/docs/tools/${id}`,
      page: 'Tools',
      heading: id,
      text: [label, description, ...params.map(({ name }) => name)].join(' '),
    }))
  return [...guides.flatMap(sectionsOf), ...tools]
}

import { env } from '../env'
import { AppError } from '../errors'
import { readGuideBlocks } from './blocks'
import { fillPlaceholders } from './placeholders'
import { findGuideFile, type GuideFile, readGuideFiles } from './read'
import type { Guide, GuideFacts } from './shape'

/** A link to another guide, as files link to each other: `billing.md` or `billing.md#limits`. */
const GUIDE_LINK = /\]\(([a-z0-9-]+)\.md(#[^()[\]\s]+)?\)/g

/** The same links as a page has them. */
const linkToPages = (markdown: string): string =>
  markdown.replaceAll(GUIDE_LINK, (_, slug: string, heading = '') => `](/docs/${slug}${heading})`)

/** The same links, and those to other pages, in full: to the Markdown of the guides. */
const linkToMarkdown = (markdown: string, origin: string): string =>
  markdown
    .replaceAll(GUIDE_LINK, (_, slug: string, heading = '') => `](${origin}/docs/${slug}.md${heading})`)
    .replaceAll('](/', `](${origin}/`)

const factsOf = ({ slug, title, summary, group, order }: GuideFile): GuideFacts => ({
  slug,
  title,
  summary,
  group,
  order,
})

/** What there is to read, in order. */
export const listGuides = async (): Promise<GuideFacts[]> => (await readGuideFiles()).map(factsOf)

async function guideFile(slug: string): Promise<GuideFile> {
  const found = await findGuideFile(slug)
  if (!found) throw new AppError('not_found', `There is no guide "${slug}".`)
  return found
}

/** A guide for a page. Throws `not_found`. */
export async function getGuide(slug: string): Promise<Guide> {
  const file = await guideFile(slug)
  return { ...factsOf(file), blocks: readGuideBlocks(linkToPages(fillPlaceholders(file.body))) }
}

/** Marks of the tests say nothing to a reader. */
const withoutMarks = (markdown: string): string => markdown.replaceAll(/^(`{3,}[\w+-]*) .*$/gm, '$1')

/** A guide as one Markdown document with the addresses of this instance. Throws `not_found`. */
export async function getGuideMarkdown(slug: string): Promise<string> {
  const { title, summary, body } = await guideFile(slug)
  const text = linkToMarkdown(withoutMarks(fillPlaceholders(body)), env().PUBLIC_URL)
  return `# ${title}\n\n${summary}\n\n${text}\n`
}

/** A link to another guide, as files link to each other: `billing.md` or `billing.md#limits`. */
const GUIDE_LINK = /\]\(([a-z0-9-]+)\.md(#[^()[\]\s]+)?\)/g

/** The same links as a page has them. */
export const linkToPages = (markdown: string): string =>
  markdown.replaceAll(GUIDE_LINK, (_, slug: string, heading = '') => `](/docs/${slug}${heading})`)

/** The same links, and those to other pages, in full: to the Markdown of the guides. */
export const linkToMarkdown = (markdown: string, origin: string): string =>
  markdown
    .replaceAll(GUIDE_LINK, (_, slug: string, heading = '') => `](${origin}/docs/${slug}.md${heading})`)
    .replaceAll('](/', `](${origin}/`)

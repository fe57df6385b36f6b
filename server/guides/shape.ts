/** What a guide says about itself in its front matter, and its name in URLs. */
export type GuideFacts = {
  slug: string
  title: string
  /** One sentence: on the overview, below the title, in `/llms.txt`. */
  summary: string
  /** The heading it is listed under. Groups come in the order of their first guide. */
  group: string
  order: number
}

/** How the test of the examples runs a fence, and what it expects. */
export type RunMark = {
  /** The status of the last HTTP response; null: any below 300. */
  status: number | null
  /** A variable for the examples below, and the field of the response that it gets. */
  save: { variable: string; field: string } | null
  /** Runs again until this field of the response has this value. */
  until: { field: string; value: string } | null
}

export type GuideExample = {
  /** The language after the backticks, such as `sh`. */
  language: string
  code: string
  /** The tab's label where several languages are adjacent. */
  tab: string | null
  run: RunMark | null
}

/** A part of a guide: prose as Markdown, or code. */
export type GuideBlock =
  | { kind: 'text'; markdown: string }
  /** The same thing in one or more languages, and what comes back. */
  | { kind: 'code'; examples: GuideExample[]; response: { language: string; code: string } | null }

/** A guide as a page draws it. */
export type Guide = GuideFacts & { blocks: GuideBlock[] }

/** A heading's fragment in URLs. */
export const headingId = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[`*_[\]()'’.,:;!?/{}<>"]/g, ' ')
    .trim()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')

export type Heading = { level: 2 | 3; text: string; id: string }

/** The second- and third-level headings of Markdown without fences. */
export const headingsIn = (markdown: string): Heading[] =>
  [...markdown.matchAll(/^(##|###) (.+)$/gm)].map(([, marks = '', text = '']) => ({
    level: marks === '##' ? 2 : 3,
    text: text.replaceAll(/[`*]/g, ''),
    id: headingId(text),
  }))

/** A section of the documentation, as the search of the page finds it. */
export type SearchEntry = {
  /** Its address here, with the fragment of its heading. */
  url: string
  /** The page it is on, and its own heading; empty for the page itself. */
  page: string
  heading: string
  text: string
}

/** A tool in the lists of the documentation. */
export type ToolGuideSummary = {
  id: string
  label: string
  group: string
  /** The first sentence of the description. */
  summary: string
  /** A fixed price; null where it is metered. */
  credits: number | null
}

/** A tool as its page shows it. */
export type ToolGuide = Omit<ToolGuideSummary, 'summary'> & {
  description: string
  params: { name: string; type: string; required: boolean; description: string }[]
  /** What it returns, as a TypeScript type. */
  result: string
  /** False: calls may take longer than MCP clients wait. */
  mcp: boolean
  /** Parameters to begin with. */
  example: Record<string, unknown>
  creditsPerUsd: number
}

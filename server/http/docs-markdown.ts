import { operationMarkdown } from '../api/openapi/reference-markdown'
import { makeHandler, pathOf, READ_METHODS } from './handler'
import { visitorCaller } from './procedure'
import { sendValue } from './response'

const PREFIX = '/docs-markdown/'

/**
 * The documentation as Markdown, for anyone. `proxy.ts` sends `/docs/<page>.md` here, and
 * `/docs/<page>` where Markdown is preferred.
 */
export const docsMarkdownHandler = makeHandler(
  'docs',
  async ({ req, headers }) => {
    const page = pathOf(req.url).slice(PREFIX.length)
    const [, operation] = /^reference\/(\w+)$/.exec(page) ?? []
    const markdown = await (operation ? operationMarkdown(operation) : visitorCaller(req).docsMarkdown(page))
    return sendValue(200, markdown, { ...headers(), 'cache-control': 'public, max-age=60', vary: 'accept' })
  },
  { methods: READ_METHODS },
)

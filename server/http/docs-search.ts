import { readReference } from '../api/openapi/reference'
import { makeHandler, READ_METHODS } from './handler'
import { visitorCaller } from './procedure'
import { sendValue } from './response'

/** The operations of the reference, as the search finds them. */
const operationEntries = async () =>
  (await readReference()).map(({ id, method, path, summary, description, parameters, body }) => ({
    url: `/docs/reference/${id}`,
    page: 'Reference',
    heading: `${method} ${path}`,
    text: [summary, description, ...[...parameters, ...(body?.fields ?? [])].map(({ name }) => name)].join(' '),
  }))

/** `/docs-search`: what the search of the documentation looks through, in the browser. */
export const docsSearchHandler = makeHandler(
  'docs-search',
  async ({ req, headers }) => {
    const [sections, operations] = await Promise.all([visitorCaller(req).docsSearch(), operationEntries()])
    return sendValue(200, [...sections, ...operations], { ...headers(), 'cache-control': 'public, max-age=300' })
  },
  { methods: READ_METHODS },
)

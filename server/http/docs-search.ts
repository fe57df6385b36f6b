import { readReference } from '../api/openapi/reference'
import { chooseEncoding, compressText } from '../kit/compress'
import { makeHandler, READ_METHODS } from './handler'
import { visitorCaller } from './procedure'

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
    const encoding = chooseEncoding(req.headers.get('accept-encoding') ?? undefined)
    const body = await compressText(JSON.stringify([...sections, ...operations]), encoding)
    return new Response(body, {
      headers: {
        ...headers(),
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'public, max-age=300',
        vary: 'Accept-Encoding',
        ...(encoding && { 'content-encoding': encoding }),
      },
    })
  },
  { methods: READ_METHODS },
)

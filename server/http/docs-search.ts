import { makeHandler, READ_METHODS } from './handler'
import { visitorCaller } from './procedure'
import { sendValue } from './response'

/** `/docs-search`: what the search of the documentation looks through, in the browser. */
export const docsSearchHandler = makeHandler(
  'docs-search',
  async ({ req, headers }) =>
    sendValue(200, await visitorCaller(req).docsSearch(), { ...headers(), 'cache-control': 'public, max-age=300' }),
  { methods: READ_METHODS },
)

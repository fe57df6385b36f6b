import { makeHandler, READ_METHODS } from './handler'
import { visitorCaller } from './procedure'

/** `/llms.txt`: where language models find the whole API. For anyone. */
export const llmsHandler = makeHandler(
  'llms',
  async ({ req, headers }) =>
    new Response(await visitorCaller(req).llms(), {
      headers: { ...headers(), 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=60' },
    }),
  { methods: READ_METHODS },
)

import { llmsText } from '../api/llms'
import { makeHandler, READ_METHODS } from './handler'

/** `/llms.txt`: where language models find the whole API, for anyone. */
export const llmsHandler = makeHandler(
  'llms',
  async ({ headers }) =>
    new Response(llmsText(), {
      headers: { ...headers(), 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=60' },
    }),
  { methods: READ_METHODS },
)

import { tellLlms } from '../api/llms'
import { asDoor, READING } from './exchange'

/** `/llms.txt`: where language models find the whole API, for anyone. */
export const llmsDoor = asDoor(
  'llms',
  async ({ headers }) =>
    new Response(tellLlms(), {
      headers: { ...headers(), 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=60' },
    }),
  { methods: READING },
)

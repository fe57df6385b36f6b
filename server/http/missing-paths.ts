/** Whose clients ask for a path, and read the 404 in that API's envelope. */
export type Api = 'chat' | 'messages' | 'rest'

type Missing = { at: RegExp; api: Api; instead: string }

const INPUT_INLINE = 'Files are not kept here: send images and documents inside the request.'

/**
 * Paths of the OpenAI and the Anthropic API that do not exist here, and what does. The first match
 * counts.
 */
const MISSING: readonly Missing[] = [
  {
    at: /^messages\/batches/,
    api: 'messages',
    instead: 'Batches are not taken: POST /api/v1/messages answers at once.',
  },
  {
    at: /^messages(\/|$)/,
    api: 'messages',
    instead: 'POST /api/v1/messages and POST /api/v1/messages/count_tokens exist.',
  },
  { at: /^complete$/, api: 'messages', instead: 'POST /api/v1/messages takes conversations.' },
  {
    at: /^(skills|experimental)(\/|$)/,
    api: 'messages',
    instead: 'POST /api/v1/messages takes conversations, with tools that the client runs.',
  },
  {
    at: /^(completions|chat|engines|edits)(\/|$)/,
    api: 'chat',
    instead: 'POST /api/v1/chat/completions takes conversations.',
  },
  {
    at: /^(responses|conversations)(\/|$)/,
    api: 'chat',
    instead: 'POST /api/v1/responses, GET and DELETE /api/v1/responses/{id} and /api/v1/conversations exist.',
  },
  {
    at: /^(assistants|threads|chatkit)(\/|$)/,
    api: 'chat',
    instead: 'POST /api/v1/responses takes conversations and keeps them, POST /api/v1/agent takes whole tasks.',
  },
  { at: /^(files|uploads|containers)(\/|$)/, api: 'chat', instead: INPUT_INLINE },
  { at: /^batches(\/|$)/, api: 'chat', instead: 'Batches are not taken: each request is answered at once.' },
  {
    at: /^(fine_tuning|fine-tunes|evals|graders)(\/|$)/,
    api: 'chat',
    instead: 'Models are used here, not trained or graded. GET /api/v1/models lists them.',
  },
  {
    at: /^moderations(\/|$)/,
    api: 'chat',
    instead: 'No model here moderates. GET /api/v1/models lists those that chat.',
  },
  {
    at: /^(vector_stores|embeddings|rerank)(\/|$)/,
    api: 'chat',
    instead: 'POST /api/v1/embeddings makes vectors; keep and search them in a store of yours.',
  },
  {
    at: /^(models\/[^/]+:(generate|stream|count|embed)\w*|generate$|tags$)/,
    api: 'chat',
    instead: 'POST /api/v1/chat/completions takes conversations, GET /api/v1/models lists models.',
  },
  { at: /^realtime(\/|$)/, api: 'chat', instead: 'POST /api/v1/chat/completions streams with stream: true.' },
  {
    at: /^audio(\/|$)/,
    api: 'chat',
    instead: 'No model here takes or makes sound. GET /api/v1/models lists those there are.',
  },
  { at: /^images(\/|$)/, api: 'chat', instead: 'POST /api/v1/images/generations makes images from a description.' },
  { at: /^videos(\/|$)/, api: 'chat', instead: 'POST /api/v1/query with the tool video_generate makes videos.' },
  {
    at: /^(organization|organizations|projects|admin)(\/|$)/,
    api: 'chat',
    instead: 'Keys and usage are in the dashboard; GET /api/v1/key and GET /api/v1/usage report on a key.',
  },
]

/** What exists instead of a path below /api/v1 that another API has; undefined: nobody knows it. */
export const findMissingPath = (path: string): { api: Api; instead: string } | undefined =>
  MISSING.find(({ at }) => at.test(path))

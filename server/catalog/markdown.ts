import { CallReceipt, UsageFilter } from '../credits/shape'
import { env } from '../env'
import { KeyStatus } from '../keys/key-status'
import { chatModels } from '../models/registry'
import { agentSection } from './agents-section'
import type { Catalog } from './describe'
import { errorsSection } from './errors-section'
import { curlBlock, tableBlock, typeBlock } from './markdown-blocks'
import { mediaAndVectorSections } from './media-and-vectors'
import { modelTables } from './models-sections'
import { declareInput, declareOutput } from './result-types'
import { scheduleSection } from './schedules'
import { simulationNotice } from './simulation'
import { toolsSections } from './tools-sections'
import { webhookSection } from './webhooks'

/** Chat completions: how to call them, and what each model costs. */
function chatSection({ llm }: Catalog, base: string): string {
  const request = { model: chatModels()[0]?.id ?? '<model id>', messages: [{ role: 'user', content: 'Hello' }] }
  return [
    '## Chat completions',
    `\`POST /chat/completions\` speaks the common chat-completions format: point any such SDK at \`${base}\` with your key (scope \`${llm.requiresScope}\`). Fields the gateway does not know pass through both ways. The charge is ceil((input tokens × input price + output tokens × output price) / 1,000,000) credits, at least 1. \`service.credits_charged\` is on the response; in a stream, on the usage chunk when \`stream_options.include_usage\` is set, else on the last chunk with a \`finish_reason\`. Without \`max_completion_tokens\` the limit is what model and credits allow.`,
    curlBlock(`${base}/chat/completions`, request),
    '`POST /messages` takes the same models in the format of the messages API (SDKs and Claude Code: base URL without `/v1`): system blocks, images, tools, thinking, structured output. `service` is on the message; in a stream, on `message_stop`. Tools that run at the provider are left out. Errors there have the body `{"type": "error", "error": {"type", "message", "code"}, "request_id"}`. `POST /messages/count_tokens` returns a prompt’s tokens, for free.',
    'Images: a part `{"type": "image_url", "image_url": {"url": "<https URL or data: URI>"}}` in a message of the role `user`, for models with vision. Errors here have the body `{"error": {"message", "type", "code", "param"}}`.',
    `## Models\n\n${llm.modelCount} of them; \`GET /models?kind=all\` returns them as JSON. \`image_generate\` and \`video_generate\` take the first of their kind where \`model\` is omitted.${llm.models.length > 0 && llm.models.every(({ simulated }) => simulated) ? ' All of these are simulated.' : ''}`,
    ...modelTables(),
  ].join('\n\n')
}

/** What a key may do, and what its calls were charged. */
const accountSection = (): string =>
  [
    '## Key and usage',
    '`GET /key` returns a `KeyStatus`: what this key may call, what is left, and which limit comes first. `GET /usage` returns `{ rows: Receipt[]; nextCursor: string | null }`, newest first, of all keys of the owner; its query has `limit` (1 to 100, default 20), `cursor`, and the fields of `UsageFilter`. `GET /usage/{requestId}` returns one `Receipt`; the `x-request-id` of a call is its id. All three are free.',
    typeBlock(
      declareOutput('KeyStatus', KeyStatus),
      declareOutput('Receipt', CallReceipt),
      declareInput('UsageFilter', UsageFilter),
    ),
  ].join('\n\n')

/** The same tools for clients of the Model Context Protocol. */
const mcpSection = (base: string): string =>
  [
    '## MCP',
    `\`POST /mcp\` is a stateless server of the Model Context Protocol over Streamable HTTP: point a client at \`${base}/mcp\` with the header \`Authorization: Bearer <key>\`. It speaks the revisions 2025-03-26, 2025-06-18, 2025-11-25 (\`initialize\`) and 2026-07-28 (\`server/discover\`).`,
    '`tools/list` has what the key may call, with input and output schemas, and is free. `tools/call` costs what `/query` costs: the result is in `structuredContent` and, as JSON, in a text; the charge in `service.credits_charged` at the top of the result and in `_meta["tollgate/service"]`, the receipt’s id in `_meta["tollgate/request-id"]`. A call that was refused or failed is a result with `isError: true` whose text is the error body described above, with `retryAfter` in seconds where due; over HTTP only 401, 403 for a foreign `Origin`, 405, 413, 415, and 429 on other methods remain. Every request counts in the minute of the key, also each one in a batch.',
    'A `tools/call` with a `progressToken` from a client that accepts `text/event-stream` is answered as an event stream: `notifications/progress` every 10 seconds, then the result. A client that disconnects before the provider has the request is not charged; after that the call runs to its end and is charged. Clients of revision 2026-07-28 that declare the extension `io.modelcontextprotocol/tasks` get a task for actor runs: `tasks/get` has its result for 24 hours, with the charge in `service`.',
    `\`\`\`sh\nclaude mcp add --transport http tollgate ${base}/mcp --header "Authorization: Bearer $TOLLGATE_KEY"\n\`\`\``,
    `A client that takes no key gets one through OAuth, with the URL \`${base}/mcp\` alone: it sends its user to a page that asks what it may call, how much it may spend and until when. The key is listed in Keys. Its metadata is at \`/.well-known/oauth-protected-resource\`; PKCE with S256 is required, and clients register themselves or publish their metadata. An access token works for an hour; a refresh token renews it once and is replaced by the next. A refresh token that is sent twice revokes the key.`,
  ].join('\n\n')

const OPERATIONS = [
  ['POST', '/query', 'Call one tool: `{"tool": "<id>", "params": {…}}`. The response is the tool’s JSON.'],
  [
    'POST',
    '/query/batch',
    'Up to 100 calls, each with its own receipt: `{"calls": [{"tool", "params"}]}`; `results` has the `status` and `body` of each',
  ],
  [
    'GET',
    '/tasks/{taskId}',
    'A call in the background: `/query` and `/query/batch` with the header `Prefer: respond-async`, or with `callbackUrl`, answer 202 with a `taskId`. `?wait=` is up to 30 seconds; `result` or `error` is what `/query` would have answered. `GET /tasks` lists them, `POST /tasks/{taskId}/cancel` cancels one that its provider does not have yet',
  ],
  ['POST', '/chat/completions', 'A chat completion, streamed or not, in the common wire format'],
  [
    'POST',
    '/responses',
    'The same in the format of the Responses API; kept for the retention of the key, unless `store` is false',
  ],
  ['POST', '/messages', 'The same in the format of the messages API; `/messages/count_tokens` counts a prompt'],
  ['POST', '/embeddings', 'Texts as vectors, in the common wire format'],
  ['POST', '/images/generations', 'Images, in the common wire format'],
  ['POST', '/agent', 'Start an agent run, or a further turn of one'],
  ['GET', '/agent/jobs', 'The owner’s jobs, newest first: `limit`, `cursor`'],
  [
    'GET',
    '/agent/{jobId}',
    'Poll a job; `/steps` lists its steps, `/events` streams them; 204 where there are no more',
  ],
  ['GET', '/datasets/{name}', 'A dataset that runs have made, as CSV or with `format=xlsx` as a workbook'],
  ['POST', '/agent/{jobId}/answer', 'Answer a job that needs input; `/cancel` ends a live one'],
  ['POST', '/mcp', 'The tools for clients of the Model Context Protocol'],
  [
    'GET',
    '/models',
    'The models that chat or make embeddings, with their prices; `?kind=` chat, embedding, image, video or all; `/models/{id}` is one of them',
  ],
  ['GET', '/catalog', 'Tools, models and prices as JSON; `?format=md` is this page'],
  ['GET', '/key', 'What the key may do, what is left, and which limit comes first'],
  ['GET', '/usage', 'Receipts, newest first; `/usage/{requestId}` is one of them'],
  ['GET', '/usage/refusals', 'The last 100 calls of each key that were refused, and the limit that refused them'],
  ['GET', '/openapi.json', 'The REST operations as OpenAPI 3.1'],
]

function callingSection({ tools }: Catalog, base: string): string {
  const request = { tool: tools[0]?.id ?? 'web_search', params: { query: 'hello' } }
  return [
    '## Calling',
    `Base URL: \`${base}\`. Every request carries \`Authorization: Bearer <key>\` (or \`x-api-key\`) and sends JSON. Every response has an \`x-request-id\`; authenticated ones carry \`x-ratelimit-limit-requests\`, \`x-ratelimit-remaining-requests\` and \`x-ratelimit-reset-requests\` (seconds). Unknown fields and parameters are refused with 400.`,
    tableBlock(['Method', 'Path', 'Purpose'], OPERATIONS),
    curlBlock(`${base}/query`, request),
    'Lists have `nextCursor`: null on the last page, else the value of the parameter that the comment beside it names (`cursor` where there is none), with everything else unchanged. `totalRows`, where there is one, counts all pages.',
  ].join('\n\n')
}

const billingSection = ({ billing }: Catalog): string =>
  [
    '## Billing',
    `Every response to a call that ran, even if it failed, has \`service.credits_charged\`. Add it up wherever \`service\` is, whatever the status: a response without it was not charged. The most that a call can cost is held first and the rest released. A tool with a fixed price costs that; a metered one its provider’s real cost with the operator’s markup. ${billing.creditsPerUsd} credits are 1 USD at the reference tier.`,
    typeBlock('type Service = { credits_charged: integer }'),
    'Send an `Idempotency-Key` header (1 to 255 printable ASCII characters without spaces) with any billed POST, over MCP `tollgate/idempotencyKey` in the `_meta` of `tools/call`, to be able to repeat a request without a second charge: for 24 hours the same key and body get the stored answer, a stream as a stream, marked `Idempotent-Replayed: true` (`tollgate/idempotentReplayed` in `_meta`), with the first charge in `service`. While the first is in progress it is 409, with another body 422. Every answer that was charged is stored, failures too: try a failure with `credits_charged` above 0 again with a new key. Refusals and failures that cost nothing are not stored. An answer beyond 4 MiB is not stored, which `Idempotency-Stored: false` or, in a stream, a comment says: its repeat is 409 with `requestId`, the id of its receipt.',
  ].join('\n\n')

/** The whole API as one Markdown document, for people and for language models. */
export function catalogMarkdown(catalog: Catalog): string {
  const base = `${env().PUBLIC_URL}/api/v1`
  const notice = simulationNotice()
  const mode = notice ? `\n\n${notice}` : ''
  return `${[
    `# Tollgate API\n\nOne key, one balance in credits, a receipt for every call.${mode}`,
    callingSection(catalog, base),
    billingSection(catalog),
    errorsSection(),
    ...toolsSections(catalog.tools),
    accountSection(),
    chatSection(catalog, base),
    ...mediaAndVectorSections(base),
    agentSection(catalog, base),
    scheduleSection(base),
    webhookSection({ timeoutS: env().WEBHOOK_TIMEOUT_S, retriesS: env().WEBHOOK_RETRIES_S }),
    mcpSection(base),
  ].join('\n\n')}\n`
}

import { env } from '../env'
import { accountSection } from './account-section'
import { agentSection } from './agents-section'
import { chatSection } from './chat-section'
import type { Catalog } from './describe'
import { errorsSection } from './errors-section'
import { curlBlock, tableBlock, typeBlock } from './markdown-blocks'
import { mcpSection } from './mcp-section'
import { mediaAndVectorSections } from './media-and-vectors'
import { scheduleSection } from './schedules'
import { simulationNotice } from './simulation'
import { toolsSections } from './tools-sections'
import { webhookSection } from './webhooks'

const OPERATIONS = [
  ['POST', '/query', 'Call one tool: `{"tool": "<id>", "params": {…}}`. The response is the tool’s JSON.'],
  ['POST', '/chat/completions', 'A chat completion, streamed or not, in the common wire format'],
  ['POST', '/responses', 'The same in the format of the Responses API; nothing is stored'],
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

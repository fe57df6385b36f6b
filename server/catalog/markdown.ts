import { env } from '../env'
import { ERROR_CODES } from '../errors'
import { chatModels } from '../models/registry'
import type { Catalog, CatalogTool } from './describe'
import { mediaAndVectorSections } from './media-and-vectors'
import { scheduleSection } from './schedules'
import { simulationNotice } from './simulation'
import { webhookSection } from './webhooks'

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))].map((row) => `| ${row.join(' | ')} |`).join('\n')

const priceOf = ({ credits }: CatalogTool) =>
  credits === null ? 'metered' : `${credits} credit${credits === 1 ? '' : 's'}`

function toolSection(tool: CatalogTool): string {
  const params = tool.params.map((p) => [`\`${p.name}\``, `\`${p.type}\``, p.required ? 'yes' : 'no', p.description])
  return [
    `### ${tool.id}`,
    `${tool.label}, ${priceOf(tool)}. ${tool.description}`,
    table(['Parameter', 'Type', 'Required', 'Description'], params),
  ].join('\n\n')
}

const groupSection = ([group, tools]: [string, CatalogTool[]]): string =>
  [`## Tools: ${group}`, ...tools.map(toolSection)].join('\n\n')

/** Chat completions: how to call them, and what each model costs. */
function chatSection({ llm }: Catalog, base: string): string {
  const shown = llm.models.filter((m) => m.contextSize > 0 && m.creditsPer1mOutput > 0)
  const rows = llm.models.map((m) => [
    `\`${m.id}\``,
    m.name,
    m.contextSize > 0 ? String(m.contextSize) : '',
    m.creditsPer1mInput > 0 ? String(m.creditsPer1mInput) : '',
    m.creditsPer1mOutput > 0 ? String(m.creditsPer1mOutput) : '',
    m.vision ? 'yes' : 'no',
  ])
  const request = { model: shown[0]?.id ?? '<model id>', messages: [{ role: 'user', content: 'Hello' }] }
  return [
    '## Chat completions',
    `\`POST /chat/completions\` speaks the common chat-completions format: point any such SDK at \`${base}\` with your key (scope \`${llm.requiresScope}\`). Fields the gateway does not know pass through both ways. The charge is ceil((input tokens × input price + output tokens × output price) / 1,000,000) credits, at least 1. \`service.credits_charged\` is on the response; in a stream, on the usage chunk when \`stream_options.include_usage\` is set, else on the last chunk with a \`finish_reason\`. Without \`max_completion_tokens\` the limit is what model and credits allow.`,
    `\`\`\`sh\ncurl ${base}/chat/completions -H "Authorization: Bearer $TOLLGATE_KEY" -H "Content-Type: application/json" \\\n  --data-raw '${JSON.stringify(request)}'\n\`\`\``,
    '`POST /responses` takes the same models in the format of the Responses API: `input` as text or items, function and custom tools, reasoning, structured output. Nothing is stored: send the whole conversation each time, with `store: false`. Tools that run at a provider (web search and the like) are left out. `service` is on the response; in a stream, on its last event.',
    '`POST /messages` takes the same models in the format of the messages API (SDKs and Claude Code: base URL without `/v1`): system blocks, images, tools, thinking, structured output. `service` is on the message; in a stream, on `message_stop`. Tools that run at the provider are left out. Errors there have the body `{"type": "error", "error": {"type", "message", "code"}, "request_id"}`. `POST /messages/count_tokens` returns a prompt’s tokens, for free.',
    'Images: a part `{"type": "image_url", "image_url": {"url": "<https URL or data: URI>"}}` in a message of the role `user`, for models with vision. Errors here have the body `{"error": {"message", "type", "code", "param"}}`.',
    `### Models\n\nPrices are credits per million tokens; models without them are billed by what they generate.${llm.models.length > 0 && llm.models.every(({ simulated }) => simulated) ? ' All of these are simulated.' : ''}`,
    table(['Id', 'Name', 'Context', 'Input', 'Output', 'Vision'], rows),
  ].join('\n\n')
}

/** Agent runs: how to start, poll and answer one. */
function agentSection({ agent }: Catalog, base: string): string {
  const request = { goal: 'Compare what three forums say about toll roads', idempotencyKey: 'report-2026-01' }
  return [
    '## Agent runs',
    `\`POST /agent\` (scope \`${agent.requiresScope}\`) starts a run and answers 202 with its \`jobId\`; poll \`GET /agent/{jobId}\` until \`status\` is \`completed\`, \`failed\` or \`cancelled\`. With \`wait: true\` the answer is 200 when the run has finished or needs input. The same \`idempotencyKey\` always answers the same run. A run survives the death of any process; each step is charged exactly once.`,
    `\`\`\`sh\ncurl ${base}/agent -H "Authorization: Bearer $TOLLGATE_KEY" -H "Content-Type: application/json" \\\n  -d '${JSON.stringify(request)}'\n\`\`\``,
    table(
      ['Field', 'Required', 'Meaning'],
      [
        ['`goal`', 'yes', 'What to accomplish'],
        ['`idempotencyKey`', 'yes', 'Yours; a retry with it never starts a second run'],
        ['`mode`', 'no', '`autonomous` (default) or `interactive`: shows a plan before it acts, and may ask'],
        ['`wait`', 'no', 'Block until the run finishes or needs input'],
        ['`conversationId`', 'no', agent.multiTurn],
        ['`model`', 'no', `${agent.model} One of the ${chatModels().length} that chat.`],
        ['`historyTurnLimit`', 'no', agent.historyTurnLimit],
        ['`capabilities`', 'no', 'Groups to confine this run to, among those of the key'],
        ['`outputSchema`', 'no', 'JSON Schema for the result, see below'],
        ['`callbackUrl`', 'no', 'Gets a signed request when the run ends or needs input: see Webhooks'],
      ],
    ),
    'Results of tools are kept whole with their steps. The model is shown its share of a large one, which grows with its context, and reads on for free; rows go to a dataset, and so to SQL, without passing through the model. A model with a small context is offered fewer tools; one whose context cannot hold a few tools and the goal is refused with 400, which names the context that the run needs.',
    'A job that is `awaiting_input` says in `awaitingInput` what it waits for: a `question`, a `plan` (Markdown, and in `planDetails` its steps with tools and estimated credits), or an `approval`, with exactly what would run. `POST /agent/{jobId}/answer` with `{"approved": true}`, or `{"approved": false, "feedback": "…"}`; a question is answered in `feedback`. `POST /agent/{jobId}/cancel` ends a run.',
    'An `approval` is asked for in both modes: before a call destroys something, and before a run that has read untrusted text (pages, posts, transcripts, listings, results of actors) and private data (datasets, the connected database) sends out something that is not verbatim in a goal of the conversation: a site or a version of one, a URL, or the input of an actor. `summary` says what goes where, `reason` what the run has read. What a run has read is derived from its steps, over all turns of the conversation; nothing that a page says or a model writes changes it. A link that was found on a page counts as written by the model, because which of many links is opened can spell out anything. Searches and other calls that only reach the provider of their tool are not asked about. In the settings the owner chooses to be asked after untrusted text alone, or never.',
    'A run can be watched: `GET /agent/{jobId}/events` sends a `step` for each step that has ended and a `status` for each change, as server-sent events. With `?deltas=true` it also sends how the step in progress goes: `step.started` (`index`, `kind`, `name`, `startedAt`), `step.delta` with what the model sends (`index`, `kind`: `text`, `reasoning` or `tool_call`, `text`), and `tool.progress` about once a second (`index`, `elapsedMs`). A `step` is whole and ends what was sent about its index. These events have no id: who reconnects with the `Last-Event-ID` of a step gets the step in progress from its beginning, with another `step.started`; so does everyone when another worker takes a run over.',
    'With `outputSchema` (drafts 7 to 2020-12; 32,768 characters, references within it only) the model is asked for one JSON value. It is checked, and asked for once more with what is wrong; then the run is `failed` with the reason. `result` stays the text, `output` in the poll body is the value. A run that a limit ended has `output: null`. Each turn has its own schema or none.',
    'The poll body lists in `artifacts` what the runs of the conversation made and is still there: `{kind, name, url, id}` with the kinds file, image, video, dataset and site. A dataset is downloaded with the key: `GET /datasets/{name}?format=csv` or `format=xlsx`; a text that a spreadsheet would run as a formula begins with an apostrophe in CSV, and is marked as text in a workbook. `usage` is `{steps, inputTokens, outputTokens, cachedTokens}` of the whole conversation.',
    'In `/agent/{jobId}/steps`, `input` is what the tool got, with defaults; a call that a person rejected keeps it. `requestId` is the receipt of the step’s charge.',
    `\`creditsSpent\` is what the whole conversation has spent: read it instead of adding up polls. ${agent.creditCeiling} A run that reaches it says what was done and what remains, and is \`completed\` with \`budget.reached\`; the next turn is then 402 with \`creditsSpent\` and \`ceilingCredits\`. A run that balance or key budget stopped says so too, and its conversation can be continued when there are credits again.`,
  ].join('\n\n')
}

/** The same tools for clients of the Model Context Protocol. */
const mcpSection = (base: string): string =>
  [
    '## MCP',
    `\`POST /mcp\` is a stateless server of the Model Context Protocol over Streamable HTTP: point a client at \`${base}/mcp\` with the header \`Authorization: Bearer <key>\`. It speaks the revisions 2025-03-26, 2025-06-18, 2025-11-25 (\`initialize\`) and 2026-07-28 (\`server/discover\`).`,
    '`tools/list` has what the key may call, with input and output schemas, and is free. `tools/call` costs what `/query` costs: the result is in `structuredContent` and, as JSON, in a text; the charge in `service.credits_charged` at the top of the result and in `_meta["tollgate/service"]`, the receipt’s id in `_meta["tollgate/request-id"]`. A call that was refused or failed is a result with `isError: true` whose text is the error body described above, with `retryAfter` in seconds where due; over HTTP only 401, 403 for a foreign `Origin`, 405, 413, 415, and 429 on other methods remain. Every request counts in the minute of the key, also each one in a batch.',
    'A `tools/call` with a `progressToken` from a client that accepts `text/event-stream` is answered as an event stream: `notifications/progress` every 10 seconds, then the result. A client that disconnects before the provider has the request is not charged; after that the call runs to its end and is charged. Clients of revision 2026-07-28 that declare the extension `io.modelcontextprotocol/tasks` get a task for actor runs: `tasks/get` has its result for 24 hours, with the charge in `service`.',
    `\`\`\`sh\nclaude mcp add --transport http tollgate ${base}/mcp --header "Authorization: Bearer $TOLLGATE_KEY"\n\`\`\``,
    `A client that takes no key gets one through OAuth, with the URL \`${base}/mcp\` alone: it sends its user to a page that asks what it may call, how much it may spend and until when. The key is listed in Keys. Its metadata is at \`/.well-known/oauth-protected-resource\`; PKCE with S256 is required, clients register themselves or publish their metadata, and there are no refresh tokens.`,
  ].join('\n\n')

const WHEN: Record<string, string> = {
  400: 'Malformed body, unknown tool or model, a parameter that does not fit. Nothing is billed.',
  401: 'No key, or one that is not valid. Nothing is billed.',
  402: 'Not enough credits. `limitSource` names the limit. Refused before the tool ran: nothing is billed, no `service`. Ran out during the call: `service` has the charge. A conversation at its spend limit adds `creditsSpent` and `ceilingCredits`.',
  403: 'The key may not call this tool or use this model, or lacks the scope. Nothing is billed.',
  404: 'Nothing at this path, or no resource of yours with this id.',
  405: 'Wrong method; `Allow` names the right ones.',
  409: 'An earlier request with this Idempotency-Key is still in progress; a job is not waiting for this answer or has finished; a run of the conversation is live.',
  413: 'The body is too large.',
  415: 'The body is not sent as JSON.',
  422: 'This Idempotency-Key came with another body before.',
  429: "The key's minute is used up; `Retry-After` says how many seconds to wait. Nothing is billed.",
  500: 'An internal error. Report it with the `x-request-id`.',
  502: 'The tool ran and failed: `service` has the real charge. Or every provider of a model failed: nothing is billed.',
  503: 'The service cannot reach its database; `Retry-After` says when to try again. Nothing is billed.',
}

function errorTable(): string {
  const byStatus = Map.groupBy(Object.entries(ERROR_CODES), ([, { status }]) => String(status))
  return table(
    ['Status', 'Codes', 'When'],
    [...byStatus]
      .sort(([a], [b]) => Number(a) - Number(b))
      .map(([status, codes]) => [status, codes.map(([code]) => `\`${code}\``).join(', '), WHEN[status] ?? '']),
  )
}

/** The whole API as one Markdown document, for people and for language models. */
export function catalogMarkdown(catalog: Catalog): string {
  const base = `${env().PUBLIC_URL}/api/v1`
  const groups = Map.groupBy(catalog.tools, (tool) => tool.group)
  const notice = simulationNotice()
  const mode = notice ? `\n\n${notice}` : ''
  return `${[
    `# Tollgate API\n\nOne key, one balance in credits, a receipt for every call.${mode}`,
    `## Calling\n\nBase URL: \`${base}\`. Every request carries \`Authorization: Bearer <key>\` (or \`x-api-key\`) and sends JSON. Every response has an \`x-request-id\`; authenticated ones carry \`x-ratelimit-limit-requests\`, \`x-ratelimit-remaining-requests\` and \`x-ratelimit-reset-requests\` (seconds).`,
    table(
      ['Method', 'Path', 'Purpose'],
      [
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
          'Poll a job; `/steps` lists its steps, `/events` streams them as server-sent events, from `Last-Event-ID` on; 204 where a finished job has no more',
        ],
        ['GET', '/datasets/{name}', 'A dataset that runs have made, as CSV or with `format=xlsx` as a workbook'],
        ['POST', '/agent/{jobId}/answer', 'Answer a job that needs input; `/cancel` ends a live one'],
        ['POST', '/mcp', 'The tools for clients of the Model Context Protocol'],
        [
          'GET',
          '/models',
          'The models that chat or make embeddings, with their prices; `?kind=` chat, embedding, image, video or all; `/models/{id}` is one of them',
        ],
        ['GET', '/catalog', 'This catalog as JSON; `?format=md` is this page'],
        ['GET', '/key', 'What the key may do, what is left, and which limit comes first'],
        [
          'GET',
          '/usage',
          'Receipts, newest first: `limit`, `cursor`, `keyId`, `what`, `status`, `product`, `from`, `to`',
        ],
        ['GET', '/usage/{requestId}', 'One receipt'],
        ['GET', '/openapi.json', 'The REST operations as OpenAPI 3.1'],
      ],
    ),
    `\`\`\`sh\ncurl ${base}/query -H "Authorization: Bearer $TOLLGATE_KEY" -H "Content-Type: application/json" \\\n  -d '{"tool": "${catalog.tools[0]?.id ?? 'web_search'}", "params": {"query": "hello"}}'\n\`\`\``,
    `## Billing\n\nEvery response to a call that ran, even if it failed, has \`service.credits_charged\`. Add it up wherever \`service\` is, whatever the status. ${catalog.billing.creditsPerUsd} credits are 1 USD at the reference tier. Send an \`Idempotency-Key\` header with \`/query\` to be able to repeat a request without a second charge: for 24 hours the same key and body get the stored answer, marked \`Idempotent-Replayed: true\`.`,
    `## Errors\n\nThe body is \`{"error": "<text>", "code": "<code>"}\`; \`invalid_request\` adds \`issues\`.\n\n${errorTable()}`,
    mcpSection(base),
    chatSection(catalog, base),
    ...mediaAndVectorSections(base),
    agentSection(catalog, base),
    scheduleSection(base),
    webhookSection({ timeoutS: env().WEBHOOK_TIMEOUT_S, retriesS: env().WEBHOOK_RETRIES_S }),
    ...[...groups].map(groupSection),
  ].join('\n\n')}\n`
}

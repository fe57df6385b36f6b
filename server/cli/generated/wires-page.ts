import type { WireName } from '../../models/completion'
import { NOT_CARRIED, type NotCarried } from '../../models/wires/not-carried'

const NAMES: Record<WireName, string> = {
  chat: 'chat completions',
  responses: 'Responses',
  messages: 'Messages',
}
const WIRES = Object.keys(NAMES) as WireName[]

const INTRO = `---
title: Wires
summary: Three wire formats at both ends of a model, and what is lost between them.
group: Operate
order: 51
---
A model is called at three endpoints, and its upstreams may speak any of three wires (\`api\` in MODELS_FILE):

| wire | endpoint | \`api\` of an upstream |
|---|---|---|
| chat completions | \`POST /api/v1/chat/completions\` | \`chat\` |
| Responses | \`POST /api/v1/responses\` | \`responses\` |
| Messages | \`POST /api/v1/messages\` | \`messages\` |

A request whose wire its upstream speaks passes through as it came. Any other is translated through
chat completions, and its answer back. Between all nine pairs, streamed or not, these are carried:
text, calls of tools with their results, parallel calls, images, reasoning (also what must come back
unchanged, such as signatures and encrypted reasoning), structured output, errors, disconnects, and
usage with cached tokens. \`tests/contract/wires\` tests each pair.

Where a model has upstreams of several wires, those that cannot carry a request are passed over. A
request that none of them can carry is refused before any credits are held.

## What is not carried`

const CHANGED = `## What is fitted to a model

A client does not know which model is behind an id. What is known of a model decides what it is sent: settings that it
refuses are left out, limits are clamped, schemas and efforts are rewritten, in one place for every wire. The header
\`x-tollgate-adjusted\` of a response lists what was changed, with the names of the request's own wire:

\`\`\`text
x-tollgate-adjusted: temperature=dropped, max_tokens=64000, reasoning_effort=low
\`\`\`

| of a request | what becomes of it |
|---|---|
| \`temperature\`, \`top_p\` and penalties to a model that reasons | dropped; Claude 4.1 to 4.6 take \`temperature\` or \`top_p\`, not both |
| an effort, or thinking | the nearest that the model has; dropped where it has none |
| a limit of output | at most the model's \`max_output\`; at least 16 at Responses |
| a temperature above 1, to Messages | 1 |
| \`response_format: {"type": "json_object"}\`, to Messages | \`instructed\`: asked for in the system prompt |
| a schema, to Claude | \`rewritten\`: objects are closed, and bounds such as \`minimum\` become a part of the description |
| a strict schema with optional fields, to OpenAI | \`not strict\` |
| \`metadata\`, \`cache_control\`, \`reasoning_content\`, and fields of routers such as \`usage\` and \`transforms\`, to OpenAI, Mistral and Groq | dropped |
| \`stop\`, \`logprobs\`, \`n\`, tools or a schema, to a model without | 400 that names the field |

What a model takes is known of the families of OpenAI, Anthropic, xAI and Google, by their names; all other models get
what was sent. \`GET /models\` lists it as \`supported_parameters\` and \`supported_efforts\`. The [models file](/docs/models)
says more of a model, or something else. A key with \`strict\` gets 400 instead of a change.

Marks for the cache and the lifetime of
what they cache are known to Messages alone. Files by id, and stored conversations, belong to the
account at a provider and are refused at every endpoint.
`

const fieldsOf = ({ sent }: NotCarried, from: WireName): string =>
  Object.keys(sent[from] ?? {})
    .map((field) => `\`${field}\``)
    .join(', ')

const tableOf = (outcome: NotCarried['outcome']): string => {
  const rows = NOT_CARRIED.filter((row) => row.outcome === outcome).flatMap((row) =>
    WIRES.filter((from) => row.sent[from]).map(
      (from) => `| ${row.what} | ${NAMES[from]} | ${fieldsOf(row, from)} | ${NAMES[row.to]} |`,
    ),
  )
  return ['| what | sent in | as | to an upstream of |', '|---|---|---|---|', ...rows].join('\n')
}

/** `docs/guides/wires.md`: the wires, and what is lost between them. */
export const wiresPage = (): string =>
  [
    INTRO,
    'Refused with a 400 that names the field, because the answer would be another:',
    tableOf('refused'),
    'Left out, because the other wire has no place for it:',
    tableOf('dropped'),
    CHANGED,
  ].join('\n\n')

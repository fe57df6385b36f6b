import { chatModels } from '../models/registry'
import type { Catalog } from './describe'
import { curlBlock } from './markdown-blocks'
import { modelTables } from './models-sections'

/** Chat completions: how to call them, and what each model costs. */
export function chatSection({ llm }: Catalog, base: string): string {
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

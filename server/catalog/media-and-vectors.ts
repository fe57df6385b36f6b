import { env } from '../env'
import { allModels } from '../models/registry'
import type { ModelKind } from '../models/shape'
import { curlBlock } from './markdown-blocks'

const idOfFirst = (kind: ModelKind): string | undefined => allModels().find((model) => model.kind === kind)?.id

/** Embeddings: how to make them, and what they cost. Null where no model makes any. */
function embeddingsSection(base: string): string | null {
  const model = idOfFirst('embedding')
  if (model === undefined) return null
  return [
    '## Embeddings',
    '`POST /embeddings` speaks the common embeddings format (scope `llm`, and the models of the key): `input` is a text, up to 2,048 texts, or their tokens, at most 1,000,000 tokens in one request; `encoding_format` is `float` (default) or `base64`; `dimensions` shortens the vectors where the model can. Other fields pass through, except `store` and `service_tier`, which are dropped. The charge is ceil(input tokens × input price / 1,000,000) credits, at least 1; more is held where tokenizers differ, and released. `service.credits_charged` is on the response. `Idempotency-Key` works as on `/query`. `GET /models?kind=embedding` lists the models.',
    curlBlock(`${base}/embeddings`, { model, input: ['What does the toll road cost?', 'The ferry is free.'] }),
  ].join('\n\n')
}

/** Images in the images format. Null where no model makes any. */
function imagesSection(base: string): string | null {
  const model = idOfFirst('image')
  if (model === undefined) return null
  return [
    '## Images',
    '`POST /images/generations` speaks the common images format, over the models of the tool `image_generate`. A key may call it with the scope `llm` and the model among its models, or with the tool. `n` is 1 to 4; `size` is snapped to the nearest that the model makes, and `size` and `output_format` of the response say what was made; `response_format` is `url` (default: a permanent public URL) or `b64_json` (the bytes, which are then not kept). `quality`, `style`, `background`, `moderation`, `output_format`, `output_compression`, `partial_images` and `user` are accepted and not passed on; anything else is 400. `n` times the highest price is held; each image that was made is charged at what it really cost, also where others failed. Where none was made the response is 502 with `service`. `Idempotency-Key` works as on `/query`.',
    curlBlock(`${base}/images/generations`, { model, prompt: 'A lighthouse at dusk, in woodcut', size: '1536x1024' }),
  ].join('\n\n')
}

/** What pages in a browser need to know. */
function browserSection(): string {
  const { CORS_ORIGINS: origins } = env()
  const allowed = origins.includes('*')
    ? 'every page'
    : origins.length > 0
      ? `pages of ${origins.join(', ')}`
      : 'no page'
  return `## From a browser\n\nHere ${allowed} may call this API from the browser (CORS), which the operator sets with \`CORS_ORIGINS\`. A preflight takes no key and does not count; credentials such as cookies are never allowed. A page shows its key to its visitors: give it one with a small budget.`
}

/** The sections on vectors, images and browsers. */
export const mediaAndVectorSections = (base: string): string[] =>
  [embeddingsSection(base), imagesSection(base), browserSection()].filter((section) => section !== null)

import { setTimeout as sleep } from 'node:timers/promises'
import { type PixelSize, parsePixelSize, sizeOfRatio } from '../../tools/media/ratios'
import { makeImageFile } from '../media/image-file'

type Body = Record<string, unknown>

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null

export const SLOW_REPLY_MS = 5_000

/** OpenAI's error body: https://platform.openai.com/docs/guides/error-codes */
export const openAiError = (status: number, code: string | null, message: string, headers = {}): Response =>
  Response.json({ error: { message, type: 'invalid_request_error', param: null, code } }, { status, headers })

/** A router's error body, which names the account: https://openrouter.ai/docs/api/reference/errors-and-debugging */
export const routerError = (status: number, message: string, http = status): Response =>
  Response.json({ error: { message, code: status, metadata: {} }, user_id: 'user_sandbox1' }, { status: http })

const MODERATED =
  'Your request was rejected by the safety system. If you believe this is an error, contact us at help@example.com and ' +
  'include the request ID 00000000-0000-4000-8000-000000000000.'

/** What a prompt makes go wrong in the same way wherever a picture or film is asked for; null: nothing. */
export async function provokedFailure(prompt: string): Promise<Response | null> {
  if (prompt.includes('sandbox:429')) {
    return openAiError(429, 'rate_limit_exceeded', 'Rate limit reached for org-sandbox1.', { 'retry-after': '30' })
  }
  if (prompt.includes('sandbox:quota'))
    return openAiError(429, 'insufficient_quota', 'You exceeded your current quota.')
  if (prompt.includes('sandbox:500')) return openAiError(500, null, 'The server had an error. Sorry about that!')
  if (prompt.includes('sandbox:key'))
    return openAiError(401, 'invalid_api_key', 'Incorrect API key provided: sk-sa***x1.')
  if (prompt.includes('sandbox:policy')) return openAiError(400, 'moderation_blocked', MODERATED)
  if (prompt.includes('sandbox:html')) {
    return new Response('<!doctype html><title>Just a moment…</title>', { headers: { 'content-type': 'text/html' } })
  }
  if (prompt.includes('sandbox:nonsense')) return Response.json({ made: 'up' })
  if (prompt.includes('sandbox:slow')) await sleep(SLOW_REPLY_MS)
  return null
}

/** The bytes a prompt asks for: a picture, or what only claims to be one. */
const bytesFor = (prompt: string, size: PixelSize): Buffer =>
  prompt.includes('sandbox:garbage') ? Buffer.from('this is no picture') : makeImageFile(prompt, size)

const SQUARE: PixelSize = { width: 1024, height: 1024 }

/** USD the router asks for a picture, by prompt. Table prices are 0.03 and 0.04: one prompt costs ten times as much. */
function routerCost(prompt: string): number | null {
  if (prompt.includes('sandbox:expensive')) return 0.4
  if (prompt.includes('sandbox:beyond')) return 1e9
  return prompt.includes('sandbox:nocost') ? null : 0.0287
}

const usageOf = (cost: number | null, output = 1303) => ({
  prompt_tokens: 6,
  completion_tokens: output,
  total_tokens: 6 + output,
  cost,
  is_byok: false,
})

/** True for a chat completion that is to answer with pictures. */
export const wantsImage = ({ modalities }: Body): boolean => Array.isArray(modalities) && modalities.includes('image')

/** https://openrouter.ai/docs/guides/overview/multimodal/image-generation: pictures beside the content, never in it. */
export async function completeWithImage(body: Body): Promise<Response> {
  const [message] = Array.isArray(body.messages) ? body.messages : []
  const prompt = text(isBody(message) ? message.content : '')
  if (prompt.includes('sandbox:refuse'))
    return Response.json(completion("I can't create that image.", [], usageOf(0.0000243, 9)))
  if (prompt.includes('sandbox:200')) return routerError(502, 'Provider returned error', 200)
  const wrong = await provokedFailure(prompt)
  if (wrong) return wrong
  const ratio = text(isBody(body.image_config) ? body.image_config.aspect_ratio : '') || '1:1'
  const bytes = bytesFor(prompt, sizeOfRatio(ratio, ratio === '1:1' ? 1024 : 832))
  const url = prompt.includes('sandbox:private')
    ? 'http://10.0.0.1/picture.png'
    : `data:image/jpeg;base64,${bytes.toString('base64')}`
  const images = [{ type: 'image_url', index: 0, image_url: { url } }]
  return Response.json(completion('', images, usageOf(routerCost(prompt))))
}

const completion = (content: string, images: object[], usage: object) => ({
  id: 'gen-sandbox',
  object: 'chat.completion',
  created: 1_767_312_000,
  model: 'sandbox-image',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: { role: 'assistant', content, refusal: null, ...(images.length > 0 && { images }) },
    },
  ],
  usage,
})

const SIZES = ['1024x1024', '1536x1024', '1024x1536']

/** https://platform.openai.com/docs/api-reference/images/create: base64 and tokens, no cost; older ones a URL. */
export async function openAiImage(req: Request): Promise<Response> {
  const body = (await req.json()) as Body
  const prompt = text(body.prompt)
  const size = body.size ?? '1024x1024'
  if (!SIZES.includes(text(size))) {
    return openAiError(400, 'invalid_value', `Invalid value: '${size}'. Supported values are: '${SIZES.join("', '")}'.`)
  }
  if (body.aspect_ratio !== undefined) return openAiError(400, 'unknown_parameter', 'Unknown parameter: aspect_ratio.')
  const wrong = await provokedFailure(prompt)
  if (wrong) return wrong
  if (prompt.includes('sandbox:refuse')) return Response.json({ created: 1_767_312_000, data: [] })
  const { origin } = new URL(req.url)
  const host = prompt.includes('sandbox:private') ? 'http://10.0.0.1' : origin
  const hosted = `${host}/media/picture?${new URLSearchParams({ prompt, size: text(size) })}`
  const image =
    prompt.includes('sandbox:url') || prompt.includes('sandbox:private')
      ? { url: hosted }
      : { b64_json: bytesFor(prompt, parsePixelSize(text(size)) ?? SQUARE).toString('base64') }
  const usage = { input_tokens: 10, output_tokens: 4160, total_tokens: 4170 }
  return Response.json({ created: 1_767_312_000, data: [image], size, output_format: 'png', usage })
}

/** https://openrouter.ai/docs/client-sdks/typescript/models/imagegenerationrequest.md: JPEG by name, cost in usage. */
export async function routerImage(req: Request): Promise<Response> {
  const body = (await req.json()) as Body
  const prompt = text(body.prompt)
  const wrong = await provokedFailure(prompt)
  if (wrong) return wrong
  const size = parsePixelSize(text(body.size)) ?? sizeOfRatio(text(body.aspect_ratio) || '1:1', 768)
  const b64_json = bytesFor(prompt, size).toString('base64')
  return Response.json({
    created: 0,
    data: [{ b64_json, media_type: 'image/jpeg' }],
    usage: usageOf(routerCost(prompt)),
  })
}

/** Where a picture lies that was named by its URL; gone for one prompt. */
export function hostedImage(req: Request): Response {
  const query = new URL(req.url).searchParams
  const prompt = query.get('prompt') ?? ''
  if (prompt.includes('sandbox:gone')) return new Response('expired', { status: 403 })
  const bytes = bytesFor(prompt, parsePixelSize(query.get('size') ?? '') ?? SQUARE)
  // Signed URLs are often typed like this.
  return new Response(new Uint8Array(bytes), { headers: { 'content-type': 'application/octet-stream' } })
}

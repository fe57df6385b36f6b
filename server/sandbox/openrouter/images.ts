import { parsePixelSize, sizeOfRatio } from '../../tools/media/ratios'
import { imageBytes, isJsonBody, type JsonBody, mediaFailure, textField } from '../media/answers'

/**
 * OpenRouter's error body, which contains the account's id:
 * https://openrouter.ai/docs/api/reference/errors-and-debugging
 */
export const openRouterError = (status: number, message: string, http = status): Response =>
  Response.json({ error: { message, code: status, metadata: {} }, user_id: 'user_sandbox1' }, { status: http })

/**
 * USD charged for an image. The registry's prices are 0.03 and 0.04: one prompt costs ten times as
 * much.
 */
function costOf(prompt: string): number | null {
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

/** True for a chat completion that asks for images. */
export const wantsImage = ({ modalities }: JsonBody): boolean =>
  Array.isArray(modalities) && modalities.includes('image')

/** https://openrouter.ai/docs/guides/overview/multimodal/image-generation: images beside the content, never in it. */
export async function completeWithImage(body: JsonBody): Promise<Response> {
  const [message] = Array.isArray(body.messages) ? body.messages : []
  const prompt = textField(isJsonBody(message) ? message.content : '')
  if (prompt.includes('sandbox:refuse'))
    return Response.json(completion("I can't create that image.", [], usageOf(0.0000243, 9)))
  if (prompt.includes('sandbox:200')) return openRouterError(502, 'Provider returned error', 200)
  const failure = await mediaFailure(prompt)
  if (failure) return failure
  const ratio = textField(isJsonBody(body.image_config) ? body.image_config.aspect_ratio : '') || '1:1'
  const bytes = await imageBytes(prompt, sizeOfRatio(ratio, ratio === '1:1' ? 1024 : 832))
  const url = prompt.includes('sandbox:private')
    ? 'http://10.0.0.1/image.png'
    : `data:image/jpeg;base64,${bytes.toString('base64')}`
  const images = [{ type: 'image_url', index: 0, image_url: { url } }]
  return Response.json(completion('', images, usageOf(costOf(prompt))))
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

/** https://openrouter.ai/docs/client-sdks/typescript/models/imagegenerationrequest.md: typed as JPEG, cost in usage. */
export async function openRouterImage(req: Request): Promise<Response> {
  const body = (await req.json()) as JsonBody
  const prompt = textField(body.prompt)
  const failure = await mediaFailure(prompt)
  if (failure) return failure
  const size = parsePixelSize(textField(body.size)) ?? sizeOfRatio(textField(body.aspect_ratio) || '1:1', 768)
  const b64_json = (await imageBytes(prompt, size)).toString('base64')
  return Response.json({
    created: 0,
    data: [{ b64_json, media_type: 'image/jpeg' }],
    usage: usageOf(costOf(prompt)),
  })
}

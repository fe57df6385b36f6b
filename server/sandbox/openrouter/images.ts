import { isRecord, recordsIn } from '../../kit/record'
import { parsePixelSize, sizeOfRatio } from '../../tools/media/ratios'
import { imageBytes, type JsonBody, mediaFailure, promptHandler, textField } from '../media/answers'

/** With the account's id: https://openrouter.ai/docs/api/reference/errors-and-debugging */
export const openRouterError = (status: number, message: string, http = status): Response =>
  Response.json({ error: { message, code: status, metadata: {} }, user_id: 'user_sandbox1' }, { status: http })

/** USD charged for an image. The registry's prices are 0.03 and 0.04: one costs ten times that. */
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
  const prompt = textField(recordsIn(body.messages)[0]?.content)
  if (prompt.includes('sandbox:refuse'))
    return Response.json(completion("I can't create that image.", [], usageOf(0.0000243, 9)))
  if (prompt.includes('sandbox:200')) return openRouterError(502, 'Provider returned error', 200)
  const failure = await mediaFailure(prompt)
  if (failure) return failure
  const ratio = textField(isRecord(body.image_config) && body.image_config.aspect_ratio) || '1:1'
  const bytes = await imageBytes(prompt, sizeOfRatio(ratio, ratio === '1:1' ? 1024 : 832))
  const url = prompt.includes('sandbox:private')
    ? 'http://10.0.0.1/image.png'
    : `data:image/jpeg;base64,${bytes.toString('base64')}`
  const images = [{ type: 'image_url', index: 0, image_url: { url } }]
  return Response.json(completion('', images, usageOf(costOf(prompt))))
}

function completion(content: string, images: object[], usage: object) {
  const message = { role: 'assistant', content, refusal: null, ...(images.length > 0 && { images }) }
  const choices = [{ index: 0, finish_reason: 'stop', message }]
  const head = { id: 'gen-sandbox', object: 'chat.completion', created: 1_767_312_000, model: 'sandbox-image' }
  return { ...head, choices, usage }
}

/** https://openrouter.ai/docs/client-sdks/typescript/models/imagegenerationrequest.md: typed as JPEG, cost in usage. */
export const openRouterImage = promptHandler(async ({ body, prompt }) => {
  const size = parsePixelSize(textField(body.size)) ?? sizeOfRatio(textField(body.aspect_ratio) || '1:1', 768)
  const b64_json = (await imageBytes(prompt, size)).toString('base64')
  const data = [{ b64_json, media_type: 'image/jpeg' }]
  return Response.json({ created: 0, data, usage: usageOf(costOf(prompt)) })
})

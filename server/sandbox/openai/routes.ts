import { parsePixelSize } from '../../tools/media/ratios'
import type { SandboxRoute } from '../kit/route'
import { imageBytes, type JsonBody, mediaFailure, openAiError, textField } from '../media/answers'
import { openAiEmbeddings } from './embeddings'
import { createOpenAiVideo, deleteOpenAiVideo, readOpenAiVideo } from './videos'

const SIZES = ['1024x1024', '1536x1024', '1024x1536']

/** https://platform.openai.com/docs/api-reference/images/create: base64 and tokens, no cost; older models a URL. */
async function openAiImage(req: Request): Promise<Response> {
  const body = (await req.json()) as JsonBody
  const prompt = textField(body.prompt)
  const size = body.size ?? '1024x1024'
  const pixels = parsePixelSize(textField(size))
  if (!SIZES.includes(textField(size)) || !pixels) {
    return openAiError(400, 'invalid_value', `Invalid value: '${size}'. Supported values are: '${SIZES.join("', '")}'.`)
  }
  if (body.aspect_ratio !== undefined) return openAiError(400, 'unknown_parameter', 'Unknown parameter: aspect_ratio.')
  const failure = await mediaFailure(prompt)
  if (failure) return failure
  if (prompt.includes('sandbox:refuse')) return Response.json({ created: 1_767_312_000, data: [] })
  const { origin } = new URL(req.url)
  const host = prompt.includes('sandbox:private') ? 'http://10.0.0.1' : origin
  const hosted = `${host}/media/image?${new URLSearchParams({ prompt, size: textField(size) })}`
  const image =
    prompt.includes('sandbox:url') || prompt.includes('sandbox:private')
      ? { url: hosted }
      : { b64_json: (await imageBytes(prompt, pixels)).toString('base64') }
  const usage = { input_tokens: 10, output_tokens: 4160, total_tokens: 4170 }
  return Response.json({ created: 1_767_312_000, data: [image], size, output_format: 'png', usage })
}

/**
 * OpenAI's embeddings, images and videos; the simulated chat models are in `../models`.
 * `../media/routes` lists the failures.
 */
export const openaiRoutes: SandboxRoute[] = [
  { method: 'POST', path: '/llm/v1/embeddings', handle: openAiEmbeddings },
  { method: 'POST', path: '/llm/v1/images/generations', handle: openAiImage },
  { method: 'POST', path: '/llm/v1/videos', handle: createOpenAiVideo },
  { method: 'GET', path: '/llm/v1/videos/*', handle: readOpenAiVideo },
  { method: 'DELETE', path: '/llm/v1/videos/*', handle: deleteOpenAiVideo },
]

import { z } from 'zod'
import { env } from '../../env'
import { AppError } from '../../errors'
import { readHostedImage } from '../../files/image'
import { isRecord } from '../../kit/record'
import { parseTarget, SafeFetchError, safeFetch } from '../../kit/safe-fetch'
import type { CompletionBody } from '../../models/completion'
import { maxUsdForTokens, usdForTokens } from '../../models/prices'
import type { Model } from '../../models/shape'
import { countTokens } from '../../models/tokens'
import { readUsage } from '../../models/wires/chat/usage'
import { estimatePrompt } from '../../models/wires/prompt'
import { defineTool, type ToolContext } from '../define'
import { FETCH_REASON, targetFailed } from '../fetch-error'
import { opensUrl } from '../flow'
import { tryUpstreams } from './call-upstream'
import { completeAtUpstream, firstMessage, tokenCostUsd } from './chat-images'
import { actualCostUsd, reportedCostUsd } from './cost'
import { decodeDataUri } from './fetch-result'
import { visionModel } from './models'
import { probeImage } from './probe'

/** Largest image, in bytes: what the common providers take inline. */
const MAX_BYTES = 10 * 1024 * 1024
const FETCH_TIMEOUT_MS = 20_000

/** Longest answer, in tokens. */
const MAX_ANSWER_TOKENS = 2_048
/** An answer of a few paragraphs. */
const USUAL_ANSWER_TOKENS = 300

const GENERAL_QUESTION = 'Describe this image: what it shows, any text in it, and what stands out.'

const isInline = (source: string) => /^data:/i.test(source)

const Source = z
  .string()
  .trim()
  .min(1)
  .max(16 * 1024 * 1024)
  .refine((source) => isInline(source) || source.length <= 4096, 'must be a URL of at most 4096 characters')
  .refine((source) => !isInline(source) || imageBytesIn(source) !== null, {
    message: 'must hold a PNG, JPEG, WebP or GIF image in base64, such as data:image/png;base64,…',
  })

/** A small image that needs no request: a toll gate of 48 × 48 pixels. */
const EXAMPLE_IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAADAAAAAwAgMAAAAqbBEUAAAADFBMVEW/4+CwKir///9VYGKtKgw8AAAAK0lEQV' +
  'R42mNgGNQgNICqnKjQVSAYQDYngHZuowvn///Q+P9QQDwHASjmAAA3cZPWwKGXMwAAAABJRU5ErkJggg=='

export const imageAnalyze = defineTool({
  id: 'image_analyze',
  label: 'Analyze an image',
  capability: 'media',
  description:
    'Looks at an image and answers a question about it, or describes it. Takes PNG, JPEG, WebP and GIF of up to 10 MB. ' +
    'The price depends on image and answer length.',
  params: z.strictObject({
    source: Source.describe('Public http(s) URL of the image, or the image itself as a data: URI'),
    question: z
      .string()
      .trim()
      .min(1)
      .max(32_000)
      .optional()
      .describe('What to find out; leave it out for a general description'),
  }),
  example: { source: EXAMPLE_IMAGE, question: 'What is on it?' },
  output: z.object({ text: z.string(), model: z.string().describe('The model that answered') }),
  pricing: {
    kind: 'metered',
    boundUsd: ({ source, question }) => boundUsd(model(), bodyOf(source, question, model())),
    usualUsd: ({ source, question }) => usualUsd(model(), bodyOf(source, question, model())),
  },
  annotations: { readOnly: true, openWorld: true, idempotent: false },
  flow: {
    reads: ['foreign'],
    sink: { kind: 'url', outgoing: ({ source }) => (isInline(source) ? null : opensUrl(source)) },
  },
  available: () => visionModel() !== undefined,
  async run({ source, question }, context) {
    const vision = model()
    // Sent inline, so that no provider fetches a URL from a caller.
    const inline = isInline(source) ? source : ((await hostedHere(source)) ?? asData(await fetchImage(source, context)))
    const body = bodyOf(inline, question, vision)
    const answer = await tryUpstreams(vision, context, (upstream) =>
      completeAtUpstream(vision, upstream, context, body),
    )
    const text = textOf(firstMessage(answer)?.content)
    const tableUsd = readUsage(answer.usage) ? tokenCostUsd(answer.usage, vision) : await countedUsd(vision, body, text)
    context.spent(actualCostUsd(reportedCostUsd(answer.usage), tableUsd, vision.id))
    if (text === '') throw new AppError('upstream_error', `${vision.id} returned no text about this image.`)
    return { text, model: vision.id }
  },
})

function model(): Model {
  const vision = visionModel()
  if (!vision) throw new AppError('unavailable', 'No model with vision is configured here.')
  return vision
}

const answerLimit = ({ maxOutput }: Model) => Math.min(maxOutput, MAX_ANSWER_TOKENS)

const bodyOf = (url: string, question: string | undefined, vision: Model): CompletionBody => ({
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: question ?? GENERAL_QUESTION },
        { type: 'image_url', image_url: { url } },
      ],
    },
  ],
  max_completion_tokens: answerLimit(vision),
})

/** The most it can cost: prompt, an image of the most expensive size, and the longest answer. */
async function boundUsd(vision: Model, body: CompletionBody): Promise<number> {
  const inputTokens = await estimatePrompt(body, vision)
  return maxUsdForTokens({ inputTokens, outputTokens: answerLimit(vision) }, vision)
}

async function usualUsd(vision: Model, body: CompletionBody): Promise<number> {
  const inputTokens = await estimatePrompt(body, vision)
  return usdForTokens({ inputTokens, outputTokens: Math.min(USUAL_ANSWER_TOKENS, answerLimit(vision)) }, vision)
}

/** The cost of tokens that the upstream did not count. */
const countedUsd = async (vision: Model, body: CompletionBody, text: string): Promise<number> =>
  usdForTokens({ inputTokens: await estimatePrompt(body, vision), outputTokens: await countTokens(text) }, vision)

function imageBytesIn(uri: string): Buffer | null {
  const bytes = decodeDataUri(uri)
  return bytes && bytes.length <= MAX_BYTES && probeImage(bytes) ? bytes : null
}

/** An image as a data: URI with its real type, whatever its server says. */
function asData(bytes: Buffer): string {
  const image = probeImage(bytes)
  if (!image)
    throw new AppError('upstream_error', 'There is no PNG, JPEG, WebP or GIF image at this URL.', {
      reason: 'unreadable',
    })
  return `data:${image.contentType};base64,${bytes.toString('base64')}`
}

/**
 * An image that this service hosts, as a data: URI, null for any other URL. Its own address may be
 * a private one, which the SSRF guard refuses.
 */
async function hostedHere(source: string): Promise<string | null> {
  const image = await readHostedImage(source, MAX_BYTES)
  return image && asData(Buffer.from(image.base64, 'base64'))
}

/**
 * An image at a caller's URL, through the SSRF guard. An invalid or private URL is a refusal, all
 * else a failure.
 */
async function fetchImage(source: string, { signal, ownerId }: ToolContext): Promise<Buffer> {
  try {
    const url = parseTarget(source)
    const { status, body } = await safeFetch(url, {
      allow: env().ALLOW_PRIVATE_HOSTS,
      owner: String(ownerId),
      signal: AbortSignal.any([signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)]),
      maxBytes: MAX_BYTES,
      headers: { 'user-agent': 'Mozilla/5.0 (compatible; Tollgate)', accept: 'image/*,*/*;q=0.5' },
    })
    if (status >= 400) throw targetFailed(url.host, status)
    return body
  } catch (error) {
    if (!(error instanceof SafeFetchError)) throw error
    if (signal.reason instanceof AppError) throw signal.reason
    const { kind, message } = error
    if (kind !== 'invalid_url' && kind !== 'blocked')
      throw new AppError('upstream_error', message, { reason: FETCH_REASON[kind], cause: error })
    throw new AppError('invalid_request', message, { detail: { issues: [{ path: 'params.source', message }] } })
  }
}

/** A message's text: its content, or the text of its parts. */
const textOf = (content: unknown): string =>
  (typeof content === 'string'
    ? content
    : (Array.isArray(content) ? content : [])
        .map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : ''))
        .join('')
  ).trim()

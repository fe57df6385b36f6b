import { LRUCache } from 'lru-cache'
import { readHostedImage } from '../../files/image'
import { fileUrl } from '../jobs/attachments'
import type { AgentRun } from './state'
import { sentTurns } from './summarized'
import type { TranscriptMessage } from './transcript'

/** Largest image that is shown, in bytes: what the common providers take inline. */
const MAX_BYTES = 3_750_000
/** Images of one prompt, and tokens that each may take: a small context takes fewer. */
const MAX_IMAGES = 8
const TOKENS_PER_IMAGE = 6_000
const CONTEXT_SHARE = 0.4

/** Images as `data:` URIs, by their URL. Files never change. */
const read = new LRUCache<string, string>({ maxSize: 64 * 1024 * 1024, sizeCalculation: ({ length }) => length })

async function readImage(url: string): Promise<string | null> {
  const known = read.get(url)
  if (known !== undefined) return known
  const image = await readHostedImage(url, MAX_BYTES)
  if (!image) return null
  const data = `data:${image.mimeType};base64,${image.base64}`
  read.set(url, data)
  return data
}

/** The URLs of the images of a run: attached to its goals, taken or made by its tools. */
function imagesOf(run: AgentRun): string[] {
  const attached = sentTurns(run).flatMap(({ attachments }) =>
    attachments.filter(({ contentType }) => contentType.startsWith('image/')).map(({ fileId }) => fileUrl(fileId)),
  )
  const tools = new Map(run.tools.map((tool) => [tool.id, tool]))
  const made = run.steps.flatMap(({ kind, name, output, error }) =>
    kind === 'tool' && !error && output !== null ? [...(tools.get(name)?.images?.(output as never) ?? [])] : [],
  )
  return [...new Set([...attached, ...made])]
}

type Part = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }

const imagePart = (url: string): Part => ({ type: 'image_url', image_url: { url } })

const isImageMessage = ({ role }: TranscriptMessage) => role === 'user' || role === 'tool'

/**
 * A prompt's messages with the images that they name: a goal with those attached to it, the results
 * of a step followed by those of its tools. Each is shown once, where it is named first, as many as
 * the context takes. A model that cannot see reads that beside what it cannot see. The same
 * messages give the same bytes.
 */
export async function withImages(run: AgentRun, messages: readonly TranscriptMessage[]): Promise<TranscriptMessage[]> {
  const images = imagesOf(run)
  if (images.length === 0) return [...messages]
  const fitting = Math.min(MAX_IMAGES, Math.floor((run.model.contextSize * CONTEXT_SHARE) / TOKENS_PER_IMAGE))
  const max = run.model.vision ? fitting : 0
  const seen = new Set<string>()
  const shown: TranscriptMessage[] = []
  let waiting: { url: string; data: string }[] = []
  let count = 0
  const flush = () => {
    if (waiting.length > 0) shown.push(resultImages(waiting))
    waiting = []
  }
  for (const message of messages) {
    if (message.role !== 'tool') flush()
    const { content } = message
    const named =
      isImageMessage(message) && typeof content === 'string'
        ? images.filter((url) => !seen.has(url) && content.includes(url))
        : []
    if (named.length === 0 || typeof content !== 'string') {
      shown.push(message)
      continue
    }
    const found: typeof waiting = []
    for (const url of named) {
      seen.add(url)
      const data = count < max ? await readImage(url) : null
      if (data === null) continue
      count++
      found.push({ url, data })
    }
    const text = found.length < named.length ? `${content}\n${notSeen(run)}` : content
    if (message.role === 'tool') {
      shown.push({ ...message, content: text })
      waiting.push(...found)
    } else {
      const parts = [{ type: 'text', text }, ...found.map(({ data }) => imagePart(data))]
      shown.push({ ...message, content: found.length > 0 ? parts : text })
    }
  }
  flush()
  return shown
}

/** What is said instead of an image that is not shown. */
function notSeen({ model, tools }: AgentRun): string {
  const why = model.vision ? 'Not every image is shown to you' : 'You cannot see images'
  const how = tools.some(({ id }) => id === 'image_analyze')
    ? 'image_analyze describes one by its URL.'
    : 'No tool here describes them: say so where it matters.'
  return `[${why}. ${how}]`
}

const resultImages = (images: readonly { url: string; data: string }[]): TranscriptMessage => ({
  role: 'user',
  content: [
    {
      type: 'text',
      text: `[From the service: the images of the results above, ${images.map(({ url }) => url).join(', ')}]`,
    },
    ...images.map(({ data }) => imagePart(data)),
  ],
})

import { z } from 'zod'
import { env } from '../../env'
import { AppError } from '../../errors'
import { makeFairSlots } from '../../kit/fair-slots'
import { parseTarget, type SafeResponse, safeFetch } from '../../kit/safe-fetch'
import { defineTool, type ToolContext } from '../define'
import { targetFailed, toToolError } from '../fetch-error'
import { opensUrl } from '../flow'
import { acquireSlot } from '../parse'
import { readPdf } from './pdf'
import { type PageRead, READING_WAYS, readWebPage } from './read-page'
import { readByScript } from './read-rendered'

const MAX_BYTES = 20 * 1024 * 1024
const FETCH_TIMEOUT_MS = 45_000
/** Of the tool's 60 s; the rest is for the answer. */
const READ_WITHIN_MS = 55_000

/** Pages that are fetched and read at the same time: each holds its body in memory. */
const slots = makeFairSlots({ slots: 64, perOwner: 16, queuedPerOwner: 64, queued: 1_024 })

export const webReadUrl = defineTool({
  id: 'web_read_url',
  label: 'Read a page',
  capability: 'web',
  isFirst: 'defined',
  provider: 'built in: a page or PDF as Markdown',
  isBuiltIn: true,
  description:
    'Reads a web page and gives its main content as Markdown, without navigation, banners and advertising: articles, and also ' +
    'products with their prices, lists, tables, threads and questions, with what the page says of itself as JSON-LD. Pages made by JavaScript are rendered ' +
    'in a browser, where one is installed. PDF files are given as text; plain text, Markdown, JSON and XML as they are.',
  params: z.strictObject({
    url: z.string().trim().min(1).max(4096).describe('The http or https URL to read'),
  }),
  example: { url: 'https://example.com' },
  sandboxExample: (sandboxUrl) => ({ url: `${sandboxUrl}/site/` }),
  output: z.object({
    url: z.string().describe('The URL that was asked for'),
    finalUrl: z.string().describe('Where the content came from, after redirects'),
    title: z.string().nullable(),
    author: z.string().nullable(),
    siteName: z.string().nullable(),
    publishedAt: z.iso.datetime().nullable(),
    language: z.string().nullable(),
    contentType: z.string(),
    markdown: z.string(),
    wordCount: z.int(),
    truncated: z.boolean().describe('True when the content was longer than what is given'),
    method: z
      .enum(READING_WAYS)
      .describe(
        "How it was read: the page's article, its main part, the whole page without what surrounds its content, the page as a browser renders it, the text of a PDF, or a text file as it is",
      ),
    isPartial: z.boolean().describe('True when content is known to be missing; note says why'),
    note: z.string().nullable().describe('What is missing, and why; null when nothing is known to be'),
  }),
  pricing: { kind: 'fixed', credits: 1 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: {
    reads: ['foreign'],
    sink: { kind: 'url', outgoing: ({ url }) => opensUrl(url) },
    offers: ({ finalUrl, markdown }) => ({ page: finalUrl, texts: [markdown] }),
  },
  available: () => true,
  async run({ url }, context) {
    const until = performance.now() + READ_WITHIN_MS
    // Taken before the target is reached, so that a call that is refused here costs nothing.
    const release = await acquireSlot(slots, context)
    try {
      const reply = await fetchPage(url, context)
      if (reply.status >= 400) throw targetFailed(new URL(reply.url).host, reply.status)
      const contentType = typeOf(reply)
      const { missing, ...page } = await readAs(contentType, reply, context, until)
      return { url, finalUrl: reply.url, ...page, ...completeness(page, missing), contentType }
    } finally {
      release()
    }
  },
})

async function fetchPage(url: string, context: ToolContext): Promise<SafeResponse> {
  try {
    return await safeFetch(parseTarget(url), {
      allow: env().ALLOW_PRIVATE_HOSTS,
      owner: String(context.ownerId),
      signal: AbortSignal.any([context.signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)]),
      maxBytes: MAX_BYTES,
      onSent: context.onSent,
      headers: {
        'user-agent': 'Mozilla/5.0 (compatible; Tollgate)',
        accept: 'text/html,application/xhtml+xml,text/markdown;q=0.9,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.5',
        'accept-language': 'en,*;q=0.5',
      },
    })
  } catch (error) {
    throw toToolError(error, context)
  }
}

const headerOf = (reply: SafeResponse): string => [reply.headers['content-type'] ?? ''].flat()[0] ?? ''

/** The type a page says it has; where that says nothing, what its first bytes look like. */
function typeOf(reply: SafeResponse): string {
  const type = headerOf(reply).split(';')[0]?.trim().toLowerCase() ?? ''
  if (type !== '' && type !== 'application/octet-stream') return type
  if (reply.body.subarray(0, 5).toString('latin1') === '%PDF-') return 'application/pdf'
  const head = reply.body.subarray(0, 1024)
  if (head.includes(0)) return 'application/octet-stream'
  return /^\s*<(!doctype html|html|head|body|title)/i.test(head.toString('latin1')) ? 'text/html' : 'text/plain'
}

const TEXT = /^(text\/.+|application\/(.+\+)?(json|xml|yaml|toml|x-yaml|javascript|x-ndjson|rtf)|image\/svg\+xml)$/

type Read = PageRead & { finalUrl?: string; missing?: string }

async function readAs(type: string, reply: SafeResponse, context: ToolContext, until: number): Promise<Read> {
  if (type === 'application/pdf') return readPdf(reply.body, context)
  const isHtml = type === 'text/html' || type === 'application/xhtml+xml'
  if (!isHtml && !TEXT.test(type)) {
    throw new AppError('upstream_error', `${reply.url} is of type ${type}, which cannot be read as text.`, {
      reason: 'unreadable',
    })
  }
  const task = { bytes: reply.body, contentType: headerOf(reply), url: reply.url, isHtml }
  const { needsScript, ...page } = await readWebPage(task, context)
  return needsScript ? readByScript(page, reply.url, context, until) : page
}

/** Whether content is missing, and what is. */
function completeness({ truncated }: PageRead, missing?: string): { isPartial: boolean; note: string | null } {
  const cut = truncated ? 'The content is longer than what is given: the rest was cut.' : undefined
  const note = [missing, cut].filter(Boolean).join(' ')
  return { isPartial: note !== '', note: note || null }
}

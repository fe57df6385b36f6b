import { z } from 'zod'
import { hostFile } from '../../files/put'
import { requireFileSpace } from '../../files/space'
import { parseTarget } from '../../kit/safe-fetch'
import { hostedArtifact } from '../artifact'
import { defineTool } from '../define'
import { toToolError } from '../fetch-error'
import { opensUrl } from '../flow'
import { capturePage, DEVICES, type Device } from './capture'
import { chromium, chromiumPath } from './chromium'
import { READINESS, type Readiness } from './wait-until-ready'

const MAX_TIMEOUT_S = 180
const DEFAULT_TIMEOUT_S = 15
/** Beyond the caller's limit: starting the browser, taking and storing the image. */
const MARGIN_S = 15
const MAX_VIEWPORT_PIXELS = 40_000_000

const Viewport = z
  .strictObject({
    width: z.int().min(16).max(3840),
    height: z.int().min(16).max(4320),
    deviceScaleFactor: z.number().min(0.5).max(3).optional(),
  })
  .refine(
    ({ width, height, deviceScaleFactor = 1 }) => width * height * deviceScaleFactor ** 2 <= MAX_VIEWPORT_PIXELS,
    `must have at most ${MAX_VIEWPORT_PIXELS / 1e6} million pixels`,
  )

const isLocale = (text: string): boolean => {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}

const readiness = Object.entries(READINESS).map(([name, meaning]) => `${name}: ${meaning}`)
const sizes = Object.entries(DEVICES).map(
  ([name, d]) => `${name} ${d.width}x${d.height}${d.touch ? ' with touch' : ''}`,
)

/**
 * What a page can see of a visit besides its URL. Choices between two or three ways (device,
 * colours, …) are left out: they are what ordinary visits differ in.
 */
const seenByPage = (input: {
  viewport?: unknown
  hideSelectors?: unknown
  waitForSelector?: unknown
  timeout: number
  locale?: unknown
  userAgent?: unknown
}): Record<string, unknown> => {
  const { viewport, hideSelectors, waitForSelector, timeout, locale, userAgent } = input
  const waits = timeout === DEFAULT_TIMEOUT_S ? undefined : timeout
  return { viewport, hideSelectors, waitForSelector, timeout: waits, locale, userAgent }
}

export const webScreenshot = defineTool({
  id: 'web_screenshot',
  label: 'Screenshot',
  capability: 'web',
  provider: 'built in: headless Chromium',
  isBuiltIn: true,
  description:
    'Takes a screenshot of a web page and returns the permanent URL of a PNG image. Error pages are ' +
    'captured too, unless assertStatusCode asks for another status.',
  params: z.strictObject({
    url: z.string().trim().min(1).max(4096).describe('The http or https URL of the page'),
    viewport: Viewport.optional().describe(
      'Size of the window in CSS pixels: {width, height, deviceScaleFactor?}, by default 1920x1080; wins over device',
    ),
    device: z
      .enum(Object.keys(DEVICES) as [Device, ...Device[]])
      .optional()
      .describe(`Kind of device: ${sizes.join(', ')}`),
    fullPage: z
      .boolean()
      .default(false)
      .describe('Image the whole page, up to 16,384 pixels, not only what is in view'),
    hideSelectors: z
      .array(z.string().trim().min(1).max(500))
      .max(50)
      .optional()
      .describe('CSS selectors of what to hide'),
    darkMode: z.boolean().optional().describe('Ask the page for its dark colours'),
    waitForSelector: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .optional()
      .describe('CSS selector to wait for; ignored if it never appears within the timeout'),
    waitUntil: z
      .enum(Object.keys(READINESS) as [Readiness, ...Readiness[]])
      .optional()
      .describe(`When the page counts as ready (left out: its load event); ${readiness.join('; ')}`),
    timeout: z.number().min(1).max(MAX_TIMEOUT_S).default(DEFAULT_TIMEOUT_S).describe('Seconds to wait for the page'),
    locale: z
      .string()
      .trim()
      .max(50)
      .refine(isLocale, 'must be a locale such as de-AT')
      .optional()
      .describe('Locale such as de-AT'),
    userAgent: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')
      .optional()
      .describe('User agent to present'),
    noCache: z.boolean().optional().describe('Ask the site and the caches before it for a fresh copy'),
    assertStatusCode: z.int().min(100).max(599).optional().describe('Fail unless the page returns this HTTP status'),
  }),
  example: { url: 'https://example.com' },
  sandboxExample: (sandboxUrl) => ({ url: `${sandboxUrl}/site/` }),
  output: z.object({
    url: z.string().describe('Where the image is hosted'),
    width: z.int(),
    height: z.int(),
    finalUrl: z.string(),
    statusCode: z.int(),
    title: z.string(),
    bytes: z.int(),
  }),
  pricing: { kind: 'fixed', credits: 2 },
  annotations: { readOnly: true, openWorld: true, idempotent: false },
  flow: {
    reads: ['foreign'],
    sink: { kind: 'url', outgoing: (input) => opensUrl(input.url, seenByPage(input)) },
  },
  timeoutMs: (MAX_TIMEOUT_S + MARGIN_S) * 1000,
  images: ({ url }) => [url],
  artifacts: ({ url, title, finalUrl }) => [hostedArtifact('image', url, title || finalUrl)],
  available: () => chromiumPath() !== null,
  async run(input, context) {
    await requireFileSpace(context.ownerId)
    const url = targetOf(input.url, context)
    const { png, ...seen } = await capturePage(chromium(), { ...input, url }, context)
    const { url: hosted } = await hostFile({ ownerId: context.ownerId, bytes: png, contentType: 'image/png' })
    return { url: hosted, ...seen, bytes: png.length }
  },
})

function targetOf(url: string, context: Parameters<typeof toToolError>[1]): string {
  try {
    return parseTarget(url).href
  } catch (error) {
    throw toToolError(error, context)
  }
}

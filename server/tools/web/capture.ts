import type { BrowserContextOptions, CDPSession, Page, Response } from 'playwright-core'
import { AppError, type Reason } from '../../errors'
import { withTimeout } from '../../kit/with-timeout'
import type { ToolContext } from '../define'
import type { ChromiumPool, Visit } from './chromium'
import { FAILURE_HEADER, type ProxySession } from './guard-proxy'
import { type Readiness, waitUntilReady } from './wait-until-ready'

export type CaptureInput = {
  url: string
  viewport?: { width: number; height: number; deviceScaleFactor?: number }
  device?: Device
  fullPage: boolean
  hideSelectors?: string[]
  darkMode?: boolean
  waitForSelector?: string
  waitUntil?: Readiness
  /** Seconds. */
  timeout: number
  locale?: string
  userAgent?: string
  noCache?: boolean
  assertStatusCode?: number
}

export type PageCapture = {
  png: Buffer
  width: number
  height: number
  finalUrl: string
  statusCode: number
  title: string
}

/** Chromium draws no surface longer than this, in device pixels. */
const MAX_SIDE_PX = 16_384
const MAX_PIXELS = 60_000_000
const SHOT_TIMEOUT_MS = 12_000

export const DEVICES = {
  desktop: { width: 1920, height: 1080, touch: false, platform: 'X11; Linux x86_64', mobile: '' },
  tablet: { width: 820, height: 1180, touch: true, platform: 'Linux; Android 14; Tablet', mobile: '' },
  mobile: { width: 390, height: 844, touch: true, platform: 'Linux; Android 14; Mobile', mobile: 'Mobile ' },
} as const
export type Device = keyof typeof DEVICES

/**
 * Visits a page and takes a screenshot as PNG. A URL whose first target is blocked is
 * `invalid_request`; every other failure is `upstream_error`, after `onSent` when a connection to
 * the target was made.
 */
export async function capturePage(pool: ChromiumPool, input: CaptureInput, context: ToolContext): Promise<PageCapture> {
  const { signal, ownerId, onSent } = context
  return pool.visit(
    { context: (version) => presentation(input, version), signal, ownerId, onReached: onSent },
    (visit) => captureIn(visit, input),
  )
}

type Presented = Pick<CaptureInput, 'viewport' | 'device' | 'locale' | 'userAgent' | 'darkMode'>

/** How the browser presents itself to a page: an ordinary one of a kind of device. */
export function presentation(input: Presented, version: string): BrowserContextOptions {
  const { viewport, locale, userAgent, darkMode } = input
  const device = DEVICES[input.device ?? 'desktop']
  const major = version.split('.')[0]
  return {
    viewport: { width: viewport?.width ?? device.width, height: viewport?.height ?? device.height },
    deviceScaleFactor: viewport?.deviceScaleFactor ?? 1,
    hasTouch: device.touch,
    isMobile: device.touch,
    colorScheme: darkMode ? 'dark' : 'light',
    locale: locale ?? 'en-US',
    userAgent:
      userAgent ??
      `Mozilla/5.0 (${device.platform}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 ${device.mobile}Safari/537.36`,
  }
}

async function captureIn({ page, network }: Visit, input: CaptureInput): Promise<PageCapture> {
  const deadline = performance.now() + input.timeout * 1000
  const left = () => Math.max(1, deadline - performance.now())
  const cache = input.noCache ? await cacheOff(page) : null

  const shown = await openPage(page, network, { url: input.url, timeoutMs: left() })
  await ifInTime(waitUntilReady(page, input.waitUntil), left())
  if (input.waitForSelector) await ifInTime(page.waitForSelector(input.waitForSelector, { timeout: 0 }), left())

  const statusCode = shown()?.status() ?? 0
  const { assertStatusCode } = input
  if (assertStatusCode !== undefined && statusCode !== assertStatusCode) {
    throw new AppError('upstream_error', `The page returned HTTP ${statusCode}, not ${assertStatusCode}.`, {
      reason: 'refused',
    })
  }
  const title = (await ifInTime(page.title(), 2_000)) ?? ''
  const image = await shoot(page, input)
  await cache?.detach().catch(() => {})
  return { ...image, finalUrl: page.url(), statusCode, title }
}

/**
 * Goes to an address; returns what returns the response that the main frame shows. Throws why its
 * target was not reached.
 */
export async function openPage(
  page: Page,
  network: ProxySession,
  to: { url: string; timeoutMs: number },
): Promise<() => Response | null> {
  const shown = lastDocument(page)
  try {
    const response = await page.goto(to.url, { waitUntil: 'commit', timeout: to.timeoutMs })
    if (response) refuseUnshown(response, network)
  } catch (error) {
    if (error instanceof AppError) throw error
    const response = shown()
    if (response) refuseUnshown(response, network)
    throw whyNot(error, { ...to, network })
  }
  return () => {
    const response = shown()
    if (response) refuseUnshown(response, network)
    return response
  }
}

/**
 * Throws where a response is the guard's, or a PDF, which Chromium shows as an empty area or not
 * at all.
 */
function refuseUnshown(response: Response, network: ProxySession): void {
  const { [FAILURE_HEADER]: failure, 'content-type': type = '' } = response.headers()
  if (failure !== undefined) throw notReached(new URL(response.url()), failure, network)
  if (!type.toLowerCase().startsWith('application/pdf')) return
  const message = `${new URL(response.url()).host} sent a PDF, which web_read_url reads, not a page.`
  throw new AppError('upstream_error', message, { reason: 'unreadable' })
}

/** What kept a navigation from its target: what the proxy noted says more than Chromium's error. */
function whyNot(
  error: unknown,
  { url, timeoutMs, network }: { url: string; timeoutMs: number; network: ProxySession },
): AppError {
  const text = error instanceof Error ? error.message : String(error)
  const failed = [...network.failures].at(-1)
  if (failed && /ERR_TUNNEL|ERR_PROXY|ERR_EMPTY_RESPONSE/.test(text)) {
    return notReached(new URL(`https://${failed[0]}`), failed[1], network, error)
  }
  const host = new URL(url).host
  const say = (reason: Reason, message: string) => new AppError('upstream_error', message, { reason, cause: error })
  if (/ERR_UNSAFE_PORT/.test(text) && network.reached === 0) {
    const message = `Browsers do not open pages on the port of ${host}.`
    return new AppError('invalid_request', message, {
      cause: error,
      detail: { issues: [{ path: 'params.url', message }] },
    })
  }
  if (/Timeout [\d.]+ms exceeded/.test(text))
    return say('timeout', `${host} did not answer within ${Math.round(timeoutMs / 1000)} seconds.`)
  if (/Download is starting/.test(text)) return say('unreadable', `${url} is a download, not a page.`)
  return say(
    'provider_error',
    `${host} cannot be shown: ${/net::(ERR_[A-Z_0-9]+)/.exec(text)?.[1] ?? 'the browser gave up'}.`,
  )
}

function notReached(target: URL, failure: string, network: ProxySession, cause?: unknown): AppError {
  const { host, hostname } = target
  const first = network.reached === 0
  if (failure === 'blocked') {
    const message = `${first ? host : `The page redirects to ${host}, which`} is not on the public internet.`
    if (!first) return new AppError('upstream_error', message, { reason: 'blocked', cause })
    return new AppError('invalid_request', message, {
      reason: 'blocked',
      cause,
      detail: { issues: [{ path: 'params.url', message }] },
    })
  }
  const why: Record<string, [Reason, string]> = {
    unresolved: ['not_found', `The host ${hostname} does not exist.`],
    refused: ['provider_unreachable', `${host} does not accept connections.`],
    timeout: ['timeout', `${host} did not accept a connection in time.`],
  }
  const [reason, message] = why[failure] ?? ['provider_error', `${host} closed the connection.`]
  return new AppError('upstream_error', message, { reason, cause })
}

/** The response that the main frame shows: the last one, because scripts navigate too. */
function lastDocument(page: Page): () => Response | null {
  let last: Response | null = null
  page.on('response', (response) => {
    const request = response.request()
    const isDocument = request.isNavigationRequest() && response.frame() === page.mainFrame()
    // A download leaves the page as it is.
    if (response.headers()['content-disposition']?.toLowerCase().startsWith('attachment')) return
    if (isDocument && !(response.status() >= 300 && response.status() < 400)) last = response
  })
  return () => last
}

async function shoot(page: Page, input: CaptureInput): Promise<Pick<PageCapture, 'png' | 'width' | 'height'>> {
  const style = (input.hideSelectors ?? []).map((selector) => `${selector} { display: none !important }`).join('\n')
  try {
    if (input.fullPage) await growToPage(page, input, style)
    const png = await page.screenshot({ type: 'png', animations: 'disabled', style, timeout: SHOT_TIMEOUT_MS })
    // The header of a PNG has its size at a fixed place.
    return { png, width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
  } catch (cause) {
    throw new AppError('upstream_error', 'No screenshot could be taken: the page keeps the browser too busy.', {
      cause,
    })
  }
}

/**
 * Scrolls once through the page, so that what loads late does, then makes the viewport as tall as
 * the page, within limits.
 */
async function growToPage(page: Page, input: CaptureInput, style: string): Promise<void> {
  const { width, height } = page.viewportSize() ?? DEVICES.desktop
  const scale = input.viewport?.deviceScaleFactor ?? 1
  const maxHeight = Math.floor(Math.min(MAX_SIDE_PX / scale, MAX_PIXELS / (width * scale * scale)))
  const sheet = JSON.stringify(style)
  const whole = await ifInTime(
    page.evaluate<number>(`(async () => {
      const sheet = new CSSStyleSheet(); sheet.replaceSync(${sheet})
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
      const tall = () => Math.max(document.documentElement.scrollHeight, document.body?.scrollHeight ?? 0)
      for (let y = 0, step = 0; y < Math.min(tall(), ${maxHeight}) && step < 30; y += innerHeight, step++) {
        scrollTo({ top: y, behavior: 'instant' }); await new Promise((r) => setTimeout(r, 40))
      }
      scrollTo({ top: 0, behavior: 'instant' })
      return tall()
    })()`),
    5_000,
  )
  await page.setViewportSize({ width, height: Math.max(height, Math.min(Math.ceil(whole ?? height), maxHeight)) })
  await ifInTime(page.evaluate('new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))'), 2_000)
}

/** Sends no-cache with every request, so that caches on the way ask the site again. */
async function cacheOff(page: Page): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true })
  return cdp
}

/** The value of a promise, or null when it fails or takes longer. */
const ifInTime = <T>(work: Promise<T>, timeoutMs: number): Promise<T | null> =>
  withTimeout<T | null>(
    work.catch(() => null),
    timeoutMs,
  )

import type { Page } from 'playwright-core'
import { AppError } from '../../errors'
import { withTimeout } from '../../kit/with-timeout'
import type { ToolContext } from '../define'
import { openPage, presentation } from './capture'
import type { ChromiumPool, Visit } from './chromium'
import { waitUntilReady } from './wait-until-ready'

/** HTML of a rendered page, at most: characters. They pass through the main thread as JSON. */
const MAX_HTML_CHARS = 1024 * 1024
/** Of the time limit, for taking what is there when a page never becomes quiet. */
const TAKING_MS = 2_000

export type RenderedPage = {
  html: string
  finalUrl: string
  /** The page had become quiet; otherwise time was up. */
  isReady: boolean
}

/**
 * Opens a page in the browser, waits until it is quiet, and returns the HTML that its scripts have
 * made. `timeoutMs` bounds everything, the wait for a slot included. Throws `upstream_error` when
 * the page cannot be shown or answers with an error.
 */
export async function renderPage(
  pool: ChromiumPool,
  { url, timeoutMs }: { url: string; timeoutMs: number },
  { signal, ownerId, onSent }: ToolContext,
): Promise<RenderedPage> {
  const late = AbortSignal.timeout(timeoutMs)
  const deadline = performance.now() + timeoutMs - TAKING_MS
  try {
    return await pool.visit(
      {
        // Tall, so that what loads when it comes into view does.
        context: (version) => presentation({ viewport: { width: 1280, height: 3000 } }, version),
        signal: AbortSignal.any([signal, late]),
        ownerId,
        onReached: onSent,
      },
      (visit) => renderIn(visit, url, deadline),
    )
  } catch (error) {
    if (late.aborted && !signal.aborted) {
      throw new AppError('upstream_error', `It did not show the page within ${Math.round(timeoutMs / 1000)} seconds.`, {
        reason: 'timeout',
        cause: error,
      })
    }
    throw error
  }
}

async function renderIn({ page, network }: Visit, url: string, deadline: number): Promise<RenderedPage> {
  const left = () => Math.max(1, deadline - performance.now())
  const shown = await openPage(page, network, { url, timeoutMs: left() })
  // Requests in progress may bring the content, and what they brought may still be written.
  const quiet = async () => {
    await page.waitForLoadState('networkidle', { timeout: 0 })
    await waitUntilReady(page, 'mutation-idle')
    return true
  }
  const isReady =
    (await withTimeout(
      quiet().catch(() => null),
      left(),
    )) === true
  const status = shown()?.status() ?? 0
  if (status >= 400) throw new AppError('upstream_error', `The page returned HTTP ${status}.`, { reason: 'refused' })
  return { html: await htmlOf(page), finalUrl: page.url(), isReady }
}

/** Taken in a world of its own, where the page cannot have changed what the words mean. */
async function htmlOf(page: Page): Promise<string> {
  const cdp = await page.context().newCDPSession(page)
  const { frameTree } = await cdp.send('Page.getFrameTree')
  const { executionContextId } = await cdp.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id })
  const { result } = await cdp.send('Runtime.evaluate', {
    expression: `document.documentElement.outerHTML.slice(0, ${MAX_HTML_CHARS})`,
    contextId: executionContextId,
    returnByValue: true,
  })
  await cdp.detach().catch(() => {})
  return typeof result.value === 'string' ? `<!doctype html>${result.value}` : ''
}

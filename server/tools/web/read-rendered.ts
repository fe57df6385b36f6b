import { AppError } from '../../errors'
import { log } from '../../kit/log'
import type { ToolContext } from '../define'
import { chromium, chromiumPath } from './chromium'
import { type PageRead, readWebPage } from './read-page'
import { renderPage } from './render-page'

/** A page that takes longer is given as far as it came. */
const RENDER_MS = 20_000
/** With less time than this a browser is not asked. */
const MIN_RENDER_MS = 3_000
/** Kept of the time for reading what was rendered. */
const READING_MS = 5_000

/** A page that still has so few words has not shown its content. */
const HARDLY_ANY = 10

export type RenderedRead = PageRead & { finalUrl?: string; missing?: string }

/**
 * A page made by scripts, as the browser shows it; what its HTML says where there is no browser, no
 * time, or nothing more to see, and then `missing` says so. `until`: by `performance.now()`.
 * Throws only the signal's reason.
 */
export async function readByScript(
  page: PageRead,
  url: string,
  context: ToolContext,
  until: number,
): Promise<RenderedRead> {
  const without = (why: string): RenderedRead => ({
    ...page,
    missing: `This page is made by JavaScript, and ${why}: this is the text that it has without.`,
  })
  if (chromiumPath() === null) return without('no browser is installed here to run it')
  const timeoutMs = Math.min(RENDER_MS, until - performance.now() - READING_MS)
  if (timeoutMs < MIN_RENDER_MS) return without('no time was left to run it')
  try {
    const { html, finalUrl, isReady } = await renderPage(chromium(), { url, timeoutMs }, context)
    const task = { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8', url: finalUrl, isHtml: true }
    const { needsScript: _, ...read } = await readWebPage(task, context)
    if (read.wordCount <= page.wordCount) {
      return page.wordCount >= HARDLY_ANY ? page : without('it showed nothing more in a browser')
    }
    const rendered = { ...read, method: 'rendered' as const, finalUrl }
    return isReady ? rendered : { ...rendered, missing: 'The page was still loading when time was up.' }
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason
    log.info({ url, err: error, requestId: context.requestId }, 'a page could not be rendered')
    return without(
      error instanceof AppError ? `the browser failed: ${error.message.replace(/\.$/, '')}` : 'the browser failed',
    )
  }
}

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { env } from '../../env'
import { AppError } from '../../errors'
import type { AddressGuard } from '../../kit/dial'
import { makeFairSlots } from '../../kit/fair-slots'
import { lazy } from '../../kit/lazy'
import { log } from '../../kit/log'
import { type MemoryLimit, watchMemory } from '../../kit/process-memory'
import { rejectOnAbort } from '../../kit/reject-on-abort'
import { withTimeout } from '../../kit/with-timeout'
import { acquireSlot } from '../parse'
import { findChromiumPath } from './find-chromium'
import { GREETING_URL, type GuardProxy, type ProxySession, startGuardProxy } from './guard-proxy'
import { launchChromium } from './launch-chromium'
import { webSettings } from './settings'

export type Visit = { page: Page; network: ProxySession; version: string }

type VisitOptions = {
  /** How the browser presents itself; `version` is Chromium's. */
  context: (version: string) => BrowserContextOptions
  signal: AbortSignal
  /** Whose visit it is: owners share fairly. */
  ownerId: number
  /** Called at every connection to a target. */
  onReached: () => void
}

export type ChromiumPool = {
  /** Runs `use` with a page in a new context, which is closed afterwards. */
  visit: <T>(options: VisitOptions, use: (visit: Visit) => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

/** Pages open at the same time. One owner never has them all. */
const SLOTS = { slots: 3, perOwner: 2, queuedPerOwner: 32, queued: 256 }
const IDLE_MS = 60_000
/** Of the browser with all its pages: it takes 300 MiB, and a large page as much again. */
const MEMORY: MemoryLimit = { maxMiB: 2_048, everyMs: 500 }
const TOO_LARGE = 'The page crashed: it took more memory than a page gets here.'
const CLOSE_TIMEOUT_MS = 5_000

/**
 * One Chromium, started at the first visit, restarted after it died, and stopped after a minute
 * without a visit. Whenever it takes more than `memory` allows, its largest page is ended.
 */
export function makeChromiumPool(executable: string, guard: AddressGuard, memory = MEMORY): ChromiumPool {
  let running: Promise<{ browser: Browser; proxy: GuardProxy }> | null = null
  let idle: NodeJS.Timeout | undefined
  const slots = makeFairSlots(SLOTS)

  const start = () => {
    const started = launch(executable, guard)
    running = started
    const forget = () => {
      if (running === started) running = null
    }
    started.then(({ browser, proxy }) => {
      const watching = new AbortController()
      void boundMemory(browser, memory, watching.signal).catch((err) =>
        log.warn({ err }, "Chromium's memory is not bounded"),
      )
      browser.on('disconnected', () => {
        watching.abort()
        forget()
        void proxy.close()
      })
    }, forget)
    return started
  }
  const stop = async () => {
    const stopping = running
    running = null
    const { browser } = (await stopping?.catch(() => null)) ?? {}
    await browser?.close().catch(() => {})
  }
  const enter = async (options: VisitOptions): Promise<() => void> => {
    const release = await acquireSlot(slots, options)
    clearTimeout(idle)
    return () => {
      release()
      if (slots.load().held === 0) idle = setTimeout(() => void stop(), IDLE_MS).unref()
    }
  }

  /** The running browser; a new one when it died and that was not noticed yet. */
  const ready = async () => {
    const found = await running?.catch(() => null)
    if (found?.browser.isConnected()) return found
    if (found) running = null
    return (running ?? start()).catch((cause: unknown) => {
      throw new AppError('unavailable', 'The browser cannot be started here. Contact the operator.', {
        cause,
      })
    })
  }

  return {
    visit: async (options, use) => {
      const leave = await enter(options)
      try {
        return await visitOnce(await ready(), options, use)
      } finally {
        leave()
      }
    },
    close: async () => {
      clearTimeout(idle)
      await stop()
    },
  }
}

async function launch(executable: string, guard: AddressGuard): Promise<{ browser: Browser; proxy: GuardProxy }> {
  const proxy = await startGuardProxy(guard)
  try {
    return { browser: await launchChromium(executable, proxy.url), proxy }
  } catch (error) {
    await proxy.close()
    throw error
  }
}

/** Ends the largest page whenever the browser takes too much of the machine's memory. */
async function boundMemory(browser: Browser, memory: MemoryLimit, signal: AbortSignal): Promise<void> {
  const cdp = await browser.newBrowserCDPSession()
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo')
  await cdp.detach()
  const pid = processInfo.find(({ type }) => type === 'browser')?.id
  if (pid === undefined) throw new Error('the browser names no process of its own')
  await watchMemory(pid, memory, signal, (largest) => {
    try {
      process.kill(largest, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  })
}

async function visitOnce<T>(
  { browser, proxy }: { browser: Browser; proxy: GuardProxy },
  { context: describe, signal, onReached }: VisitOptions,
  use: (visit: Visit) => Promise<T>,
): Promise<T> {
  const network = proxy.open(onReached)
  const version = browser.version()
  const context = await browser.newContext({
    ...describe(version),
    proxy: { server: proxy.url },
    acceptDownloads: false,
    serviceWorkers: 'block',
  })
  const crash = new AbortController()
  const work = async () => {
    const page = await context.newPage()
    page.on('crash', () => crash.abort(new AppError('upstream_error', TOO_LARGE, { reason: 'too_large' })))
    await logIn(context, page, network)
    context.on('page', (popup) => void popup.close().catch(() => {}))
    return use({ page, network, version })
  }
  try {
    // A context that is closed while its first page opens never settles.
    return await rejectOnAbort(work(), AbortSignal.any([signal, crash.signal]))
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof AppError) throw error
    throw new AppError('upstream_error', 'The browser gave up on the page.', { cause: error })
  } finally {
    network.close()
    if (!(await closesInTime(context))) await browser.close().catch(() => {})
  }
}

/**
 * Shows the proxy this session's credentials once; the context remembers them. Playwright's own way
 * keeps every request intercepted and the HTTP cache off for as long as the page lives.
 */
async function logIn(context: BrowserContext, page: Page, { username, password }: ProxySession): Promise<void> {
  const cdp = await context.newCDPSession(page)
  cdp.on(
    'Fetch.requestPaused',
    ({ requestId }) => void cdp.send('Fetch.continueRequest', { requestId }).catch(() => {}),
  )
  cdp.on('Fetch.authRequired', ({ requestId }) => {
    const authChallengeResponse = { response: 'ProvideCredentials' as const, username, password }
    void cdp.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => {})
  })
  await cdp.send('Fetch.enable', { handleAuthRequests: true, patterns: [{ urlPattern: '*' }] })
  // Not by going there: that would start a second process for the page.
  await page.evaluate(`fetch('${GREETING_URL}', { mode: 'no-cors', signal: AbortSignal.timeout(10_000) })`)
  await cdp.send('Fetch.disable')
  await cdp.detach()
}

const closesInTime = async (context: BrowserContext): Promise<boolean> =>
  (await withTimeout(
    context.close().then(
      () => true,
      () => true,
    ),
    CLOSE_TIMEOUT_MS,
  )) !== null

/** Where this machine's Chromium is, looked for once; null without one. */
export const chromiumPath = lazy(() => findChromiumPath(webSettings().CHROMIUM_PATH))

type Held = { pool: ChromiumPool | null }
const held: Held = { pool: null }

/** The process's Chromium. Throws `unavailable` where it has no Chromium. */
export function chromium(): ChromiumPool {
  const path = chromiumPath()
  if (path === null) throw new AppError('unavailable', 'No Chromium is installed here.')
  const holder = held
  holder.pool ??= makeChromiumPool(path, { allow: env().ALLOW_PRIVATE_HOSTS })
  return holder.pool
}

/**
 * Stops the process's Chromium if it runs: part of every shutdown, after the calls in progress have
 * ended.
 */
export async function closeChromium(): Promise<void> {
  await held.pool?.close()
}

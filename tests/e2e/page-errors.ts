import type { BrowserContext, Page } from '@playwright/test'

/** The errors in a browser's pages, except those that a test allows. */
export type PageErrors = { found: string[]; allow: (what: RegExp) => void; context: (context: BrowserContext) => void }

const isAbandoned = (error: string | undefined) => error === 'net::ERR_ABORTED'

function watchPage(page: Page, report: (what: string) => void): void {
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      report(`console: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => report(`uncaught: ${error.message}`))
  page.on('requestfailed', (request) => {
    // The browser aborts prefetches on navigation.
    const why = request.failure()?.errorText
    if (!isAbandoned(why)) report(`failed: ${request.method()} ${request.url()} ${why}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) report(`status ${response.status()}: ${response.url()}`)
  })
}

/** Collects console errors and warnings, uncaught errors and failed requests of every page. */
export function collectPageErrors(): PageErrors {
  const found: string[] = []
  const allowed: RegExp[] = []
  return {
    get found() {
      return found.filter((what) => !allowed.some((pattern) => pattern.test(what)))
    },
    allow: (what) => allowed.push(what),
    context(context) {
      const report = (what: string) => found.push(what)
      for (const page of context.pages()) watchPage(page, report)
      context.on('page', (page) => watchPage(page, report))
    },
  }
}

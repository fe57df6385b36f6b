import type { BrowserContext, Page } from '@playwright/test'

/** What went wrong in a browser's pages, and what a test says beforehand may. */
export type PageErrors = { found: string[]; allow: (what: RegExp) => void; context: (context: BrowserContext) => void }

const isAbandoned = (error: string | undefined) => error === 'net::ERR_ABORTED'

function watchPage(page: Page, tell: (what: string) => void): void {
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      tell(`console: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => tell(`uncaught: ${error.message}`))
  page.on('requestfailed', (request) => {
    // The browser gives up what it fetched ahead when someone goes elsewhere.
    const why = request.failure()?.errorText
    if (!isAbandoned(why)) tell(`failed: ${request.method()} ${request.url()} ${why}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) tell(`answered ${response.status()}: ${response.url()}`)
  })
}

/** Collects console errors and warnings, uncaught errors, failed requests and error answers of every page. */
export function collectPageErrors(): PageErrors {
  const found: string[] = []
  const allowed: RegExp[] = []
  return {
    get found() {
      return found.filter((what) => !allowed.some((pattern) => pattern.test(what)))
    },
    allow: (what) => allowed.push(what),
    context(context) {
      const tell = (what: string) => found.push(what)
      for (const page of context.pages()) watchPage(page, tell)
      context.on('page', (page) => watchPage(page, tell))
    },
  }
}

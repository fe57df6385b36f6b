import type { Page } from '@playwright/test'

/**
 * Makes every page load wait until React has hydrated all interactive elements: input before that
 * may be lost, and no person is that fast. React sets a property on each element it has hydrated.
 */
export function waitForHydration(page: Page): Page {
  const { goto, reload } = page
  page.goto = async (url, options) => {
    const response = await goto.call(page, url, options)
    await hydrated(page)
    return response
  }
  page.reload = async (options) => {
    const response = await reload.call(page, options)
    await hydrated(page)
    return response
  }
  return page
}

/** Waits until a page that came by a redirect has its code: a click on a button before is lost. */
export const hydrated = (page: Page) => page.waitForFunction(isHydrated)

/**
 * Runs in the page. A public page has islands, which say when they are ready. Other pages without
 * Next's data have nothing to wait for.
 */
function isHydrated(): boolean {
  if (!('__next_f' in window)) return document.querySelector('[data-island]:not([data-ready])') === null
  const interactive = document.querySelectorAll('body :is(button, input:not([type=hidden]), select, textarea, a, form)')
  return [...interactive].every((one) => Object.keys(one).some((key) => key.startsWith('__reactProps$')))
}

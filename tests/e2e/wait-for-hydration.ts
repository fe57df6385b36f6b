import type { Page } from '@playwright/test'

/**
 * Makes every load of a document wait until React has taken over all that a hand can touch on it: what is filled in or
 * clicked before that is lost, and no person is that fast. React marks an element it has hydrated with its props.
 */
export function waitForHydration(page: Page): Page {
  const { goto, reload } = page
  page.goto = async (url, options) => {
    const response = await goto.call(page, url, options)
    await page.waitForFunction(isHydrated)
    return response
  }
  page.reload = async (options) => {
    const response = await reload.call(page, options)
    await page.waitForFunction(isHydrated)
    return response
  }
  return page
}

/** Runs in the page. One that Next did not make has nothing to wait for. */
function isHydrated(): boolean {
  if (!('__next_f' in window)) return true
  const touchable = document.querySelectorAll('body :is(button, input:not([type=hidden]), select, textarea, a, form)')
  return [...touchable].every((one) => Object.keys(one).some((key) => key.startsWith('__reactProps$')))
}

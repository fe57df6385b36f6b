import { randomUUID } from 'node:crypto'
import { type BrowserContext, test as base, type Browser as Chromium, expect, type Page } from '@playwright/test'
import { E2E_URL } from './address'
import { collectPageErrors, type PageErrors } from './page-errors'
import { waitForHydration } from './wait-for-hydration'

export { expect }

export type Login = { email: string; password: string }
type State = Awaited<ReturnType<BrowserContext['storageState']>>

export const makeLogin = (): Login => ({ email: `${randomUUID()}@example.com`, password: 'correct horse battery' })

/** Submits the form of the sign-in or the sign-up page. */
export async function submitCredentials(page: Page, { email, password }: Login): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.locator('form button[type=submit]').first().click()
}

/** Creates an account with the sign-up page, and ends on its overview. */
export async function signUpInBrowser(page: Page, login: Login): Promise<void> {
  await page.goto('/signup')
  await submitCredentials(page, login)
  await expect(page).toHaveURL('/overview')
}

/** Creates a key that may call every tool, with the form; returns its secret. */
export async function createKeyInBrowser(page: Page, name: string): Promise<string> {
  await page.goto('/keys/new')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Create key' }).click()
  return readNewSecret(page)
}

/** The secret that the page shows once. */
export async function readNewSecret(page: Page): Promise<string> {
  const secret = await page.getByTestId('secret').textContent()
  return secret ?? ''
}

/** Calls a tool over the API: no cookies, only a key. */
export async function callToolWithKey(
  key: string,
  tool: string,
  params: unknown,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${E2E_URL}/api/v1/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ tool, params }),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  }
}

export const SEARCH_PARAMS = { query: 'toll roads in the alps' }

async function makeState(browser: Chromium, prepare: (page: Page) => Promise<void>): Promise<State> {
  const context = await browser.newContext({ baseURL: E2E_URL })
  const page = waitForHydration(await context.newPage())
  await prepare(page)
  const state = await context.storageState()
  await context.close()
  return state
}

/**
 * Every test fails on errors in its pages. `fresh` and `busy` are signed in: a new account, and one
 * with a key and calls. Both are created once, with the pages.
 */
export const test = base.extend<
  { watch: PageErrors; fresh: Page; busy: Page },
  { states: { fresh: State; busy: State } }
>({
  watch: [
    async ({ context }, use) => {
      const watch = collectPageErrors()
      watch.context(context)
      await use(watch)
      expect(watch.found).toEqual([])
    },
    { auto: true },
  ],
  page: ({ page }, use) => use(waitForHydration(page)),
  states: [
    async ({ browser }, use) => {
      const fresh = await makeState(browser, (page) => signUpInBrowser(page, makeLogin()))
      const busy = await makeState(browser, async (page) => {
        await signUpInBrowser(page, makeLogin())
        const key = await createKeyInBrowser(page, 'nightly research')
        for (let i = 0; i < 3; i++) await callToolWithKey(key, 'web_search', SEARCH_PARAMS)
        await callToolWithKey(key, 'crypto_get_prices', { coinIds: ['bitcoin'] })
      })
      await use({ fresh, busy })
    },
    { scope: 'worker' },
  ],
  fresh: ({ context, page, states }, use) => signedIn(context, page, states.fresh, use),
  busy: ({ context, page, states }, use) => signedIn(context, page, states.busy, use),
})

async function signedIn(context: BrowserContext, page: Page, { cookies }: State, use: (page: Page) => Promise<void>) {
  await context.addCookies(cookies)
  await use(page)
}

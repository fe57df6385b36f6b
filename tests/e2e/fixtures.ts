import { randomUUID } from 'node:crypto'
import { test as base, expect, type Page } from '@playwright/test'
import type { KeyWithSecret, NewKey } from '../../server/keys/shape'
import type { NewAccount } from './accounts'
import { E2E_ACCOUNTS_PORT, E2E_URL } from './address'
import { collectPageErrors, type PageErrors } from './page-errors'
import { waitForHydration } from './wait-for-hydration'

export { expect }

export type Login = { email: string; password: string }
type SessionOfTest = { name: string; value: string; url: string }

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

/** Opens an account without the page, and signs the page's browser in as its owner. */
export async function openAccount(page: Page, login: NewAccount = makeLogin(), url = E2E_URL): Promise<void> {
  await page.context().addCookies([{ ...(await newSession(login)), url }])
}

/** Opens the account of an operator, and signs the page's browser in. */
export async function openOperator(page: Page): Promise<void> {
  await page.context().addCookies([await newSession({ ...makeLogin(), isAdmin: true })])
}

/**
 * Opens a page whose scripts arrive only once the returned function is called, as over a slow
 * connection; with `hasReact` those arrive with which React begins to listen. Playwright's own wait
 * for a loaded page would wait for them.
 */
export async function openWithoutScripts(page: Page, path: string, { hasReact = false } = {}): Promise<() => void> {
  await page.goto('/docs')
  const held: (() => void)[] = []
  let isReleased = false
  await page.route(/\/_next\/.*\.js$/, async (route) => {
    if (!isReleased) await new Promise<void>((resolve) => held.push(resolve))
    await route.continue()
  })
  await page.evaluate((to) => location.assign(to), path)
  // Scripts of the public pages are waited for before the page counts as read.
  await page.waitForURL(path, { waitUntil: 'commit' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  const hasListener = () => Object.keys(document).some((name) => name.startsWith('_reactListening'))
  while (hasReact && !(await page.evaluate(hasListener))) {
    held.shift()?.()
    await page.waitForTimeout(100)
  }
  return () => {
    isReleased = true
    for (const go of held) go()
  }
}

/**
 * Takes the session from the page's browser, which shows nothing then: a page that is open would go
 * on to ask for what is new.
 */
export async function forgetSession(page: Page): Promise<void> {
  await page.goto('about:blank')
  await page.context().clearCookies()
}

async function newSession(login: NewAccount): Promise<SessionOfTest> {
  const response = await fetch(`http://127.0.0.1:${E2E_ACCOUNTS_PORT}`, { method: 'POST', body: JSON.stringify(login) })
  const text = await response.text()
  if (!response.ok) throw new Error(`the account was not opened: ${text}`)
  return { ...(JSON.parse(text) as { name: string; value: string }), url: E2E_URL }
}

/** Creates a key as the signed-in owner, without the form; returns its secret. */
export async function createKeyOf(page: Page, settings: NewKey): Promise<string> {
  const response = await page.request.post('/api/trpc/keys.create', { data: settings })
  expect(response.status()).toBe(200)
  const { result } = (await response.json()) as { result: { data: KeyWithSecret } }
  return result.data.key
}

/** Creates a key that may call every tool, with the form; returns its secret. */
export async function createKeyInBrowser(page: Page, name: string): Promise<string> {
  await page.goto('/keys/new')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Create key' }).click()
  return readNewSecret(page)
}

/** The secret that the page shows once; it was copied then, so that the page can be left. */
export async function readNewSecret(page: Page): Promise<string> {
  const secret = await page.getByTestId('secret').textContent()
  await page.getByRole('button', { name: 'Copy secret' }).click()
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

/** How much longer each request of a page takes, ms: finds what holds on a fast one alone. */
const LATENCY_MS = Number(process.env.E2E_LATENCY_MS ?? 0)

async function slowDown(page: Page): Promise<void> {
  if (LATENCY_MS === 0) return
  const context = page.context()
  const session = await context.newCDPSession(page)
  const connect = async (offline: boolean) => {
    const conditions = { offline, latency: LATENCY_MS, downloadThroughput: -1, uploadThroughput: -1 }
    await session.send('Network.emulateNetworkConditions', conditions)
  }
  await connect(false)
  // Playwright's own would say nothing beside this session's conditions.
  context.setOffline = connect
}

/**
 * Every test fails on errors in its pages. `fresh` and `busy` are signed in: a new account, and one
 * with a key and calls, which the tests of a worker share.
 */
export const test = base.extend<{ watch: PageErrors; fresh: Page; busy: Page }, { busyCookie: SessionOfTest }>({
  watch: [
    async ({ context }, use) => {
      const watch = collectPageErrors()
      watch.context(context)
      await use(watch)
      expect(watch.found).toEqual([])
    },
    { auto: true },
  ],
  page: async ({ page }, use) => {
    await slowDown(page)
    await use(waitForHydration(page))
  },
  busyCookie: [
    async ({ browser }, use) => {
      const cookie = await newSession(makeLogin())
      const context = await browser.newContext({ baseURL: E2E_URL })
      await context.addCookies([cookie])
      const key = await createKeyOf(await context.newPage(), { name: 'nightly research' })
      await context.close()
      for (let i = 0; i < 3; i++) await callToolWithKey(key, 'web_search', SEARCH_PARAMS)
      await callToolWithKey(key, 'crypto_get_prices', { coinIds: ['bitcoin'] })
      await use(cookie)
    },
    { scope: 'worker' },
  ],
  fresh: async ({ page }, use) => {
    await openAccount(page)
    await use(page)
  },
  busy: async ({ context, page, busyCookie }, use) => {
    await context.addCookies([busyCookie])
    await use(page)
  },
})

import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import {
  callToolWithKey,
  createKeyInBrowser,
  expect,
  makeLogin,
  openAccount,
  readNewSecret,
  SEARCH_PARAMS,
  signUpInBrowser,
  test,
} from './fixtures'

const charged = (body: Record<string, unknown>) => (body.service as { credits_charged: number }).credits_charged

async function createKey(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'New key' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('nightly research')
  await page.getByLabel('Selected tools').check()
  await page.getByLabel(/web_search/).check()
  await page.getByLabel(/crypto_get_prices/).check()
  await page.getByLabel('Lifetime budget').check()
  await page.getByLabel('Budget in credits').fill('500')
  const meaning = page.getByTestId('meaning')
  await expect(meaning).toContainText(/Tools2 of \d+: Web, Crypto/)
  await expect(meaning).toContainText('SpendsAt most 500 credits in total, ≈')
  await expect(meaning).toContainText('Works untilIt is revoked')
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByTestId('secret')).toHaveText(/^tg_[0-9A-Za-z]{36}$/)
  return readNewSecret(page)
}

async function checkSnippets(page: Page, secret: string): Promise<void> {
  await page.getByRole('tab', { name: 'curl' }).focus()
  for (const name of ['curl', 'TypeScript', 'Python']) {
    await expect(page.getByRole('tab', { name, exact: true, selected: true })).toBeFocused()
    await expect(page.getByRole('tabpanel', { name }).locator('pre')).toContainText(secret)
    await page.keyboard.press('ArrowRight')
  }
  await page.getByRole('radio', { name: 'Claude Code' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Codex' })).toBeChecked()
  await expect(page.getByRole('tabpanel', { name: 'Tools' }).locator('pre')).toContainText(secret)
  // It may use no models, so no recipe for them is there.
  await expect(page.getByRole('tab', { name: 'Models' })).toHaveCount(0)
}

async function openReceiptByKeyboard(page: Page, requestId: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'web_search' })
  const row = page.locator('[data-row-go]').first()
  // The rows are shown before React listens to the keys, and may be drawn anew once it does.
  await expect(async () => {
    if (await dialog.isVisible()) return
    await page.keyboard.press('j')
    await expect(row).toBeFocused({ timeout: 500 })
    await page.keyboard.press('Enter')
    await expect(dialog).toBeVisible({ timeout: 5_000 })
  }).toPass()
  await expect(dialog.getByRole('term').filter({ hasText: 'Charged' })).toBeVisible()
  await expect(dialog.getByTitle(requestId)).toBeVisible()
  await expect(dialog.getByText('Fixed price')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(row).toBeFocused()
}

async function checkCharge(page: Page, requestId: string): Promise<void> {
  await page.goto('/overview')
  await expect(page.getByTestId('balance')).toContainText('9\u202f999')
  await expect(page.getByRole('list').filter({ hasText: 'web_search' })).toContainText('1 call')
  await page.getByRole('link', { name: 'Usage' }).click()
  await expect(page.getByRole('region', { name: 'Calls', exact: true }).getByRole('row')).toHaveCount(2)
  await openReceiptByKeyboard(page, requestId)
  await page.goto(`/usage?receipt=${requestId}`)
  await expect(page.getByRole('dialog').getByTitle(requestId)).toBeVisible()
  await page.keyboard.press('Escape')
}

async function exportCsv(page: Page, requestId: string): Promise<void> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  const [head, line, ...rest] = (await readFile(await download.path(), 'utf8')).trim().split('\n')
  expect(head).toMatch(/^request_id,started_at,ended_at,key_id,key_name,/)
  expect(line).toMatch(new RegExp(`^${requestId},.*,nightly research,rest,tool,web_search,ok,1,1,0,`))
  expect(rest).toEqual([])
}

async function rotate(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByRole('button', { name: 'Create new secret' }).click()
  const secret = await readNewSecret(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('is still valid, expires')).toBeVisible()
  return secret
}

test('an owner signs up, creates a key, calls a tool, sees the charge, and revokes the key', async ({ page }) => {
  await signUpInBrowser(page, makeLogin())
  const secret = await createKey(page)
  await checkSnippets(page, secret)
  await page.getByRole('link', { name: 'Done' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('nightly research')
  await expect(page.locator('body')).not.toContainText(secret)
  const keyPage = page.url()

  const called = await callToolWithKey(secret, 'web_search', SEARCH_PARAMS)
  expect([called.status, charged(called.body)]).toEqual([200, 1])
  expect((await callToolWithKey(secret, 'web_read_url', { url: 'https://example.com' })).status).toBe(403)
  const requestId = called.headers.get('x-request-id') ?? ''
  await checkCharge(page, requestId)
  await exportCsv(page, requestId)

  await page.goto(keyPage)
  const rotated = await rotate(page)
  expect(rotated).not.toBe(secret)
  for (const key of [secret, rotated])
    expect((await callToolWithKey(key, 'web_search', SEARCH_PARAMS)).status).toBe(200)
  await page.reload()
  await expect(
    page.getByRole('img', { name: 'Lifetime budget: 3 of 500 credits spent, 0 reserved, 497 left' }),
  ).toBeVisible()

  await page.getByRole('link', { name: 'Edit key' }).click()
  await page.getByLabel('Name', { exact: true }).fill('daily research')
  await page.getByLabel('Budget in credits').fill('400')
  await expect(page.getByTestId('changes')).toContainText('Lifetime budget 500 credits')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('daily research')
  expect((await callToolWithKey(rotated, 'web_search', SEARCH_PARAMS)).status).toBe(200)

  await page.getByRole('button', { name: 'Revoke key' }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('revoked')
  for (const key of [secret, rotated]) {
    const refused = await callToolWithKey(key, 'web_search', SEARCH_PARAMS)
    expect([refused.status, refused.body.code]).toEqual([401, 'unauthorized'])
  }
})

test('a name may contain markup, formulas, direction marks and 80 wide letters', async ({ page }) => {
  await openAccount(page)
  const names = ['"><img src=x onerror=alert(1)>', '=HYPERLINK("http://evil.example")', '\u202egnp.exe', 'W'.repeat(80)]
  for (const name of names) {
    const secret = await createKeyInBrowser(page, name)
    expect((await callToolWithKey(secret, 'web_search', SEARCH_PARAMS)).status).toBe(200)
  }
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    for (const path of ['/keys', '/usage', '/overview?by=key']) {
      await page.goto(path)
      await expect(page.getByText(names[0] ?? '').first()).toBeAttached()
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${path} at ${width}`).toBe(width)
    }
    await page.goto('/keys')
    await page.getByRole('link', { name: names[3] }).click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(names[3] ?? '')
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `key at ${width}`).toBe(width)
  }
  const csv = await (await page.request.get('/usage/export')).text()
  expect(csv).toContain(`"'=HYPERLINK(""http://evil.example"")"`)
})

test('the secret is not shown after going back, and a double click creates one key', async ({ page }) => {
  await openAccount(page)
  await page.goto('/keys/new')
  await page.getByLabel('Name', { exact: true }).fill('double click')
  await page.getByRole('button', { name: 'Create key' }).dblclick()
  const secret = await readNewSecret(page)
  await page.getByRole('link', { name: 'All keys' }).click()
  await expect(page.getByRole('link', { name: 'double click' })).toHaveCount(1)
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Create key' })).toBeVisible()
  await expect(page.locator('body')).not.toContainText(secret)
})

test('a key revoked in one tab is reported as revoked in another', async ({ page, context, watch }) => {
  watch.allow(/409/)
  await openAccount(page)
  await createKeyInBrowser(page, 'two tabs')
  await page.getByRole('link', { name: 'Done' }).click()
  // The URL is the key's only when its page is there.
  await expect(page.getByRole('button', { name: 'Rotate secret' })).toBeVisible()
  const other = await context.newPage()
  await other.goto(page.url())
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('revoked')
  await other.getByRole('button', { name: 'Rotate secret' }).click()
  await other.getByRole('button', { name: 'Create new secret' }).click()
  await expect(other.getByRole('alert').first()).toHaveText(
    'A revoked key cannot be rotated. No new secret was created.',
  )
})

test('when the service cannot be reached, the form says what to check and keeps its values', async ({
  busy: page,
  context,
  watch,
}) => {
  watch.allow(/ERR_INTERNET_DISCONNECTED/)
  await page.goto('/keys/new')
  await page.getByLabel('Name', { exact: true }).fill('while offline')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByRole('main').getByRole('status')).toHaveText(/may not have reached.*Check Keys/)
  await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toHaveText([/You are offline/])
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByTestId('secret')).toBeVisible()
})

test('a link waits while the service cannot be reached, and what was typed stays', async ({
  busy: page,
  context,
  watch,
}) => {
  watch.allow(/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED/)
  const name = page.getByLabel('Name', { exact: true })
  const usage = page.getByRole('navigation').getByRole('link', { name: 'Usage' }).first()
  const said = page.getByRole('alert').filter({ hasText: /reached|offline/ })
  await page.goto('/keys/new')
  await name.fill('typed before')
  await context.setOffline(true)
  await usage.click()
  await expect(said).toHaveText([/You are offline.*The page you chose opens then\./])
  await name.fill('typed while offline')
  await page.getByRole('button', { name: 'Stay on this page' }).click()
  await expect(said).toHaveText([/You are offline/])
  await context.setOffline(false)
  await expect(said).toHaveCount(0)
  await expect(page).toHaveURL('/keys/new')
  await expect(name).toHaveValue('typed while offline')

  const refuse = (url: URL) => url.searchParams.has('_rsc') || url.pathname.startsWith('/api/')
  await page.route(refuse, (route) => route.abort('connectionrefused'))
  await usage.click()
  await expect(said).toHaveText([/The server cannot be reached.*The page you chose opens then\./])
  await expect(name).toHaveValue('typed while offline')
  // While it still is: by itself the page asks again too, and the button goes with the answer.
  const asked = page.waitForRequest((request) => refuse(new URL(request.url())))
  await page.getByRole('button', { name: 'Try again' }).click()
  await asked
  await page.unroute(refuse)
  await expect(page).toHaveURL('/usage')
  await expect(said).toHaveCount(0)
})

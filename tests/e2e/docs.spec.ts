import { E2E_URL } from './address'
import { createKeyOf, expect, SEARCH_PARAMS, test } from './fixtures'

test('the documentation is searched by keyboard, and opens at the section', async ({ page }) => {
  await page.goto('/docs')
  await page.keyboard.press('/')
  await page.keyboard.type('what is kept responses')
  await expect(page.getByRole('option', { name: /Responses API › What is kept/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/docs/responses#what-is-kept')
  await expect(page.getByRole('heading', { name: 'What is kept' })).toBeInViewport()
})

test('the language of examples is chosen once for all of them', async ({ page }) => {
  await page.goto('/docs/tools/web_search')
  await page.getByRole('tab', { name: 'Python' }).click()
  await expect(page.getByRole('tabpanel')).toContainText('import requests')
  await page.goto('/docs/reference/query')
  await expect(page.getByRole('tab', { name: 'Python' })).toHaveAttribute('aria-selected', 'true')
})

test('a tool is tried with a key, which the tab keeps, and says what it was charged', async ({ busy: page }) => {
  const key = await createKeyOf(page, { name: 'docs', tools: ['web_search'] })
  await page.goto('/docs/tools/web_search')
  await expect(page.getByText('Costs 1 credit.')).toBeVisible()
  await page.getByRole('button', { name: 'Send request' }).click()
  await expect(page.getByText('Enter a key.')).toBeVisible()
  await page.getByLabel('Key', { exact: true }).fill(key)
  await page.getByLabel('Body').fill(JSON.stringify({ tool: 'web_search', params: SEARCH_PARAMS }))
  await page.getByRole('button', { name: 'Send request' }).click()
  await expect(page.getByText('1 credit charged')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('"title"')
  await page.reload()
  await expect(page.getByLabel('Key', { exact: true })).toHaveValue(key)
})

test('a streamed answer is shown when it has ended, with its charge', async ({ busy: page }) => {
  const key = await createKeyOf(page, { name: 'docs', llm: true })
  await page.goto('/docs/reference/chatCompletion')
  await page.getByLabel('Key', { exact: true }).fill(key)
  const model = /"model": "[^"]+"/.exec(await page.getByLabel('Body').inputValue())?.[0]
  await page
    .getByLabel('Body')
    .fill(`{ ${model}, "stream": true, "max_tokens": 20, "messages": [{ "role": "user", "content": "Hello" }] }`)
  await page.getByRole('button', { name: 'Send request' }).click()
  await expect(page.getByText(/credits? charged/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('data: [DONE]')
})

test('code is copied, and an island keeps what was typed and sent before its script was there', async ({
  page,
  context,
  watch,
}) => {
  watch.allow(/401/)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/islands/**', async (route) => {
    await held
    await route.continue()
  })
  const opened = page.goto('/docs/tools/web_search')
  await page.getByLabel('Key', { exact: true }).fill('tg_typed_early')
  await page.getByRole('button', { name: 'Send request' }).click()
  await expect(page.getByRole('form', { name: 'Try it' })).toHaveAttribute('aria-busy', 'true')
  release()
  await opened
  await expect(page.getByText('Not charged')).toBeVisible()
  await page.getByRole('button', { name: 'Copy code' }).first().click()
  await expect(page.getByLabel('Key', { exact: true })).toHaveValue('tg_typed_early')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/api/v1/query')
})

test('without JavaScript a page shows its navigation, its text and its code', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${E2E_URL}/docs`)
  await page.getByRole('link', { name: 'First call' }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('First call')
  await expect(page.getByText('curl', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'First call' }).first()).toHaveAttribute('aria-current', 'page')
  await context.close()
})

test('from a page where React is loaded already, the documentation works as well', async ({ page }) => {
  await page.goto('/signin')
  await page.getByRole('link', { name: 'Docs' }).click()
  await page.getByLabel('Search the documentation').fill('what is kept responses')
  await page.getByRole('option', { name: /Responses API › What is kept/ }).click()
  await expect(page).toHaveURL('/docs/responses#what-is-kept')
  await expect(page.getByRole('heading', { name: 'What is kept' })).toBeInViewport()
  expect(await page.evaluate(() => '__next_f' in window)).toBe(true)
  await page.getByRole('button', { name: 'Copy code' }).first().click()
  await page.waitForTimeout(300)
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
})

test('a page of the documentation is Markdown where that is asked for', async ({ page }) => {
  const asked = await page.request.get('/docs/responses', { headers: { accept: 'text/markdown' } })
  const named = await page.request.get('/docs/responses.md')
  expect(asked.headers()['content-type']).toBe('text/markdown; charset=utf-8')
  expect(await asked.text()).toMatch(/^# Responses API\n/)
  expect(await named.text()).toBe(await asked.text())
  expect((await page.request.get('/docs/nothing.md')).status()).toBe(404)
  expect((await page.request.get('/docs/nothing')).status()).toBe(404)
})

test('the changelog is where one looks for it', async ({ page }) => {
  await page.goto('/changelog')
  await expect(page).toHaveURL('/docs/changelog')
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('Unreleased')
  await expect(page.getByRole('heading', { level: 2, name: /^0\.1\.0/ })).toBeVisible()
})

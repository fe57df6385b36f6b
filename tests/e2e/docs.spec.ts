import { createKeyOf, expect, SEARCH_PARAMS, test } from './fixtures'

test('the documentation is searched by keyboard, and opens at the section', async ({ page }) => {
  await page.goto('/docs')
  await page.keyboard.press('/')
  await page.keyboard.type('nothing is stored')
  await expect(page.getByRole('option', { name: /Responses API › Nothing is stored/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/docs/responses#nothing-is-stored')
  await expect(page.getByRole('heading', { name: 'Nothing is stored' })).toBeInViewport()
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

test('a page of the documentation is Markdown where that is asked for', async ({ page }) => {
  const asked = await page.request.get('/docs/responses', { headers: { accept: 'text/markdown' } })
  const named = await page.request.get('/docs/responses.md')
  expect(asked.headers()['content-type']).toBe('text/markdown; charset=utf-8')
  expect(await asked.text()).toMatch(/^# Responses API\n/)
  expect(await named.text()).toBe(await asked.text())
  expect((await page.request.get('/docs/nothing.md')).status()).toBe(404)
  expect((await page.request.get('/docs/nothing')).status()).toBe(404)
})

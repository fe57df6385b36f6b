import { expect, test } from './fixtures'

const code = 'pre'

test('a client is chosen by keyboard, and its recipe names this service and a model', async ({ busy: page }) => {
  await page.goto('/connect')
  await page.getByRole('radio', { name: 'Claude Code', exact: true }).focus()
  const panel = page.getByRole('region', { name: 'Claude Code' }).getByRole('tabpanel')
  await expect(panel.locator(code)).toContainText('export ANTHROPIC_MODEL="')
  await expect(async () => {
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('radio', { name: 'Codex' })).toBeChecked({ timeout: 500 })
  }).toPass()
  await expect(page).toHaveURL('/connect?client=codex')
  await expect(page.getByRole('tabpanel', { name: 'Models' }).locator(code)).toContainText('wire_api = "responses"')
})

test('a model is searched for, and a link opens the same client again', async ({ busy: page }) => {
  await page.goto('/connect?client=ai-sdk')
  await page.getByRole('combobox', { name: 'Model' }).click()
  await page.getByRole('combobox', { name: 'Model' }).fill('kelp reasoner')
  await page.keyboard.press('Enter')
  await expect(page.locator(code).first()).toContainText("tollgate('tidepool/kelp-reasoner')")
  await page.getByRole('tab', { name: 'Embeddings' }).click()
  await expect(page.locator(code).first()).toContainText("embeddingModel('lantern/wick-embed')")
})

test('a key without access to models says so, and still connects MCP clients', async ({ busy: page }) => {
  await page.goto('/connect?client=opencode')
  const key = page.getByRole('combobox', { name: 'Key' })
  // The first press may come before React listens.
  await expect(async () => {
    await key.click()
    await expect(page.getByRole('option').nth(1)).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await page.getByRole('option').nth(1).click()
  await expect(page.getByText('This key has no access to models')).toBeVisible()
  await page.getByRole('tab', { name: 'Tools' }).click()
  await expect(page.locator(code).first()).toContainText('/api/v1/mcp')
})

import { auditBothThemes } from './audit'
import { expect, openAccount, test } from './fixtures'

const NAMES = ['An app', 'A coding agent', 'An agent of mine', 'Everything']

test('a key for a purpose has what it takes, shows only what works with it, and is not left uncopied', async ({
  page,
}) => {
  await openAccount(page)
  await page.goto('/overview')
  await page
    .getByRole('list', { name: 'First steps' })
    .getByRole('link', { name: /^Make a key/ })
    .click()
  await expect(page.getByRole('radio', { name: 'Everything' })).toBeChecked()
  const summary = page.getByTestId('meaning')
  await expect(summary).toContainText('10\u202f000 credits a month')
  for (const width of [320, 1_440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await auditBothThemes(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    const shots = process.env.PRESET_SHOTS
    if (shots) await page.screenshot({ path: `${shots}/presets-${width}.png`, fullPage: true })
  }
  for (const name of NAMES) await expect(page.getByRole('radio', { name })).toBeVisible()

  await page.getByText('A coding agent', { exact: true }).click()
  await expect(summary).toContainText('25\u202f000 credits a month')
  await page.getByLabel('Credits a period').fill('12345')
  await expect(page.getByRole('radio', { name: 'A coding agent' })).not.toBeChecked()
  await page.getByText('A coding agent', { exact: true }).click()
  await page.getByLabel('Name', { exact: true }).fill('editor')
  await page.getByRole('button', { name: 'Create key' }).click()
  const secret = page.getByTestId('secret')
  await expect(secret).toContainText('tg_')
  await expect(page.getByRole('radio', { name: 'Claude Code' })).toBeChecked()

  await page.getByRole('link', { name: 'Done' }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave without the secret?' })
  await expect(dialog).toBeVisible()
  expect(await auditBothThemes(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await expect(secret).toBeVisible()
  await page.getByRole('link', { name: 'Overview', exact: true }).click()
  await dialog.getByRole('button', { name: 'Copy and leave' }).click()
  await expect(page).toHaveURL('/overview')
  await expect(page.getByRole('link', { name: 'Make a key (done)' })).toBeVisible()

  await page.goto('/keys/new?for=agent')
  await page.getByLabel('Name', { exact: true }).fill('runs')
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByText('Connect a client')).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'curl' })).toContainText('/api/v1/agent')
  // A clipboard so slow that the page asks before the secret is in it.
  await page.evaluate(() => {
    const write = navigator.clipboard.writeText.bind(navigator.clipboard)
    navigator.clipboard.writeText = async (text) => {
      while (!document.querySelector('dialog[open]')) await new Promise((resolve) => setTimeout(resolve, 10))
      return write(text)
    }
  })
  await page.getByRole('button', { name: 'Copy secret' }).click()
  await page.getByRole('link', { name: 'Done' }).click()
  await expect(page).toHaveURL(/\/keys\/\d+$/)
})

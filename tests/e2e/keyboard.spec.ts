import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const focused = page.locator(':focus')
  const pattern = typeof name === 'string' ? new RegExp(`^${name}$`) : name
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    const label = await focused.evaluate((el) => {
      const labels = 'labels' in el ? [...((el as HTMLInputElement).labels ?? [])] : []
      return (labels[0]?.textContent || el.getAttribute('aria-label') || el.textContent || '').trim()
    })
    if (pattern.test(label)) return
  }
  throw new Error(`Tab never reached ${name}`)
}

test('a key can be created by keyboard alone', async ({ busy: page }) => {
  await page.goto('/keys')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, 'New key')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.type('by hand')
  await tabTo(page, /^Every tool/)
  await page.keyboard.press('ArrowDown')
  await tabTo(page, /web_search/)
  await page.keyboard.press('Space')
  await tabTo(page, /^Lifetime budget/)
  await page.keyboard.press('Space')
  await tabTo(page, /^Budget in credits/)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('1 000')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('secret')).toBeVisible()
  await tabTo(page, 'Copy secret')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Done')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('by hand')
  await expect(
    page.getByRole('img', { name: 'Lifetime budget: 0 of 1\u202f000 credits spent, 0 reserved, 1\u202f000 left' }),
  ).toBeVisible()
})

test('an invalid form shows an error at each field and focuses the first', async ({ busy: page }) => {
  await page.goto('/keys/new')
  await page.getByLabel('Selected tools').check()
  await page.getByLabel('Lifetime budget').check()
  await page.getByLabel('Budget in credits').fill('-3')
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await expect(page.getByLabel('Name', { exact: true })).toHaveAccessibleDescription('Enter a name')
  await expect(page.getByLabel('Budget in credits')).toHaveAccessibleDescription(/^A whole number from 1/)
  await expect(page.getByText('Choose at least one tool')).toBeVisible()
})

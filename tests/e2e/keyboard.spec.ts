import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'

/** Tabs on until something with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const focused = page.locator(':focus')
  const wanted = typeof name === 'string' ? new RegExp(`^${name}$`) : name
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    const label = await focused.evaluate((el) => {
      const labels = 'labels' in el ? [...((el as HTMLInputElement).labels ?? [])] : []
      return (labels[0]?.textContent || el.getAttribute('aria-label') || el.textContent || '').trim()
    })
    if (wanted.test(label)) return
  }
  throw new Error(`Tab never came to ${name}`)
}

test('a key is made by keyboard alone', async ({ busy: page }) => {
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
  await tabTo(page, /^A lifetime budget/)
  await page.keyboard.press('Space')
  await tabTo(page, /^Budget in credits/)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('1 000')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('secret')).toBeVisible()
  await tabTo(page, 'I have stored it')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('by hand')
  await expect(page.getByRole('img', { name: '0 of 1\u202f000 credits spent, 0 held' })).toBeVisible()
})

test('a form that will not do says why at each field and puts the focus on the first', async ({ busy: page }) => {
  await page.goto('/keys/new')
  await page.getByLabel('Only these').check()
  await page.getByLabel('A lifetime budget').check()
  await page.getByLabel('Budget in credits').fill('-3')
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await expect(page.getByLabel('Name', { exact: true })).toHaveAccessibleDescription('Give the key a name')
  await expect(page.getByLabel('Budget in credits')).toHaveAccessibleDescription(/^A whole number from 1/)
  await expect(page.getByText('Choose at least one tool')).toBeVisible()
})

import type { Page } from '@playwright/test'
import { expect, makeLogin, openAccount, test } from './fixtures'

/**
 * Opens a page whose scripts arrive only once the returned function is called, as over a slow
 * connection. Playwright's own wait for a loaded page would wait for them.
 */
async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  await page.goto('/docs')
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/_next\/.*\.js$/, async (route) => {
    await released
    await route.continue()
  })
  await page.evaluate((to) => location.assign(to), path)
  await page.waitForURL(path, { waitUntil: 'domcontentloaded' })
  return release
}

test('what is typed and chosen before the page has its code counts, and is sent once', async ({ fresh: page }) => {
  const release = await openWithoutScripts(page, '/keys/new')
  await page.getByLabel('Name', { exact: true }).fill('typed early')
  await page.getByLabel('Selected tools').check()
  await page.getByLabel('Lifetime budget').check()
  const submit = page.getByRole('button', { name: 'Create key' })
  await submit.click()
  await submit.click()
  await expect(page.locator('form[aria-busy=true]')).toHaveCount(1)
  expect(new URL(page.url()).search).toBe('')
  release()
  await expect(page.getByText('Choose at least one tool')).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('typed early')
  await page.getByRole('checkbox', { name: /web_search/ }).check({ timeout: 20_000 })
  await page.getByLabel('Budget in credits').fill('500')
  await submit.click()
  await page.getByRole('button', { name: 'Copy secret' }).click()
  await page.goto('/keys')
  await expect(page.getByRole('link', { name: 'typed early' })).toHaveCount(1)
})

test('a password that is sent before the page has its code is not in its address', async ({ page }) => {
  const login = makeLogin()
  await openAccount(page, login)
  const release = await openWithoutScripts(page, '/settings/account')
  await page.getByLabel('Current password').first().fill(login.password)
  await page.getByLabel('New password').first().fill('another horse battery')
  await page.getByLabel('New password').first().press('Enter')
  await expect(page.locator('form[aria-busy=true]')).toHaveCount(1)
  release()
  await expect(page.getByText('Every other browser was signed out.')).toBeVisible()
  await expect(page).toHaveURL('/settings/account')
})

test('a form that is sent before the page has its code is sent when it has it', async ({ fresh: page }) => {
  const release = await openWithoutScripts(page, '/settings/members')
  const form = page.getByRole('main')
  await form.getByLabel('E-mail address').fill('grace@example.com')
  const role = form.getByLabel('Role', { exact: true })
  await role.selectOption('viewer')
  // A browser that restored it would choose what nobody chose.
  await expect(role).toHaveAttribute('autocomplete', 'off')
  await form.getByRole('button', { name: /^Invite/ }).click()
  release()
  await expect(form.getByRole('listitem').filter({ hasText: 'grace@example.com' })).toContainText('viewer')
})

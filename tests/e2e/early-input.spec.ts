import { expect, makeLogin, openAccount, openWithoutScripts, test } from './fixtures'

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

test('a button and the key of the search, pressed before the page has its code, do what they do, once', async ({
  fresh: page,
}) => {
  const palette = page.getByRole('combobox', { name: /^Search/ })
  const press = [
    () => page.keyboard.press('ControlOrMeta+k'),
    () => page.getByRole('button', { name: /^Search/ }).click(),
  ]
  // Also while React listens already, but has not got the page's code: it stops such events.
  for (const [early, hasReact] of press.flatMap((each) => [false, true].map((is) => [each, is] as const))) {
    const release = await openWithoutScripts(page, '/overview', { hasReact })
    await early()
    await expect(page.locator('button[aria-busy=true]')).toHaveCount(1)
    release()
    await expect(palette).toBeFocused()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(palette).toBeHidden()
  }

  const release = await openWithoutScripts(page, '/overview')
  await page.getByRole('button', { name: /^Notices/ }).click()
  release()
  await expect(page.getByText('Nothing yet. Limits that are nearly used')).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  const days = page.getByRole('button', { name: 'Choose days' })
  for (const hasReact of [false, true]) {
    const releaseAudit = await openWithoutScripts(page, '/settings/audit', { hasReact })
    // Twice: somebody who saw nothing happen.
    await days.click()
    await days.click()
    releaseAudit()
    await expect(days).toHaveAttribute('aria-expanded', 'true')
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await page.waitForTimeout(300)
    await expect(days).toHaveAttribute('aria-expanded', 'true')
  }

  const releaseDocs = await openWithoutScripts(page, '/docs/tools/web_search')
  const python = page.getByRole('tab', { name: 'Python' })
  await python.click()
  releaseDocs()
  await expect(python).toHaveAttribute('aria-selected', 'true')
})

import { expect, forgetSession, makeLogin, openAccount, signUpInBrowser, submitCredentials, test } from './fixtures'

const WRONG = 'The e-mail address or the password is wrong.'

test('an owner signs out, enters a wrong password, and signs in again', async ({ page }) => {
  const login = makeLogin()
  await signUpInBrowser(page, login)
  await page.getByRole('button', { name: /^Account/ }).click()
  await expect(page.getByText(login.email)).toBeVisible()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page).toHaveURL('/signin')
  await page.goto('/keys')
  await expect(page).toHaveURL('/signin?next=%2Fkeys')

  await submitCredentials(page, { ...login, password: 'a wrong password' })
  await expect(page.getByRole('alert').filter({ hasText: WRONG })).toBeVisible()
  const known = await page.getByRole('main').ariaSnapshot()
  const stranger = makeLogin()
  await submitCredentials(page, stranger)
  await expect(page.getByRole('alert').filter({ hasText: WRONG })).toBeVisible()
  const unknown = await page.getByRole('main').ariaSnapshot()
  expect(unknown.replace(stranger.email, login.email), 'the page reveals which addresses have accounts').toBe(known)

  await submitCredentials(page, login)
  await expect(page).toHaveURL('/keys')
})

test('an invalid address or password has an error at its field', async ({ page }) => {
  await page.goto('/signup')
  await submitCredentials(page, { email: 'nobody', password: 'short' })
  await expect(page.getByLabel('E-mail')).toHaveAccessibleDescription('Enter an e-mail address')
  await expect(page.getByLabel('Password')).toHaveAccessibleDescription('Use at least 10 characters')
  await expect(page.getByLabel('E-mail')).toHaveValue('nobody')
})

test('signing in redirects to a page of this site and never to another', async ({ page }) => {
  const login = makeLogin()
  await openAccount(page, login)
  const leads = [
    ['/usage?status=ok', '/usage?status=ok'],
    ['//evil.example/x', '/overview'],
    ['https://evil.example', '/overview'],
    ['/\\evil.example', '/overview'],
    ['javascript:alert(1)', '/overview'],
  ] as const
  for (const [next, to] of leads) {
    await forgetSession(page)
    await page.goto(`/signin?next=${encodeURIComponent(next)}`)
    await submitCredentials(page, login)
    await expect(page).toHaveURL(to)
  }
})

test('every page of the dashboard requires a session, and is returned to after sign-in', async ({ page }) => {
  for (const path of ['/overview', '/keys', '/keys/new', '/keys/1', '/usage?what=web_search&receipt=x']) {
    await page.goto(path)
    const next = path === '/overview' ? '' : `?next=${encodeURIComponent(path)}`
    await expect(page).toHaveURL(`/signin${next}`)
  }
})

test('a session that ended on another device leads to the sign-in page', async ({ page, browser, watch }) => {
  const login = makeLogin()
  await openAccount(page, login)
  await page.goto('/overview')
  const other = await browser.newContext()
  watch.context(other)
  const elsewhere = await other.newPage()
  await elsewhere.goto('/signin')
  await submitCredentials(elsewhere, login)
  await expect(elsewhere).toHaveURL('/overview')
  await elsewhere.getByRole('button', { name: /^Account/ }).click()
  await elsewhere.getByRole('button', { name: 'Sign out everywhere…' }).click()
  await elsewhere.getByRole('button', { name: 'Sign out on every device' }).click()
  await expect(elsewhere).toHaveURL('/signin')
  await other.close()

  await page.getByRole('link', { name: 'Usage' }).click()
  await expect(page).toHaveURL('/signin?next=%2Fusage')
})

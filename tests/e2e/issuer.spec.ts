import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { E2E_ISSUER_URL, E2E_URL } from './address'
import { expect, forgetSession, makeLogin, openAccount, submitCredentials, test } from './fixtures'
import { hydrated } from './wait-for-hydration'

const newDomain = () => `${randomUUID().slice(0, 8)}.acme.example`
type AtIssuer = { email: string; groups?: string; isVerified?: boolean; hasFactor?: boolean; isEarlier?: boolean }

/** Fills the form of the issuer, to which a page was redirected. */
async function fillIssuer(page: Page, person: AtIssuer): Promise<void> {
  const { email, groups = '', isVerified = true, hasFactor = false, isEarlier = false } = person
  await expect(page).toHaveURL(new RegExp(`^${E2E_ISSUER_URL}/interaction/`))
  await page.getByLabel('Address').fill(email)
  await page.getByLabel('Verified').setChecked(isVerified)
  await page.getByLabel('Groups').fill(groups)
  await page.getByLabel('Second factor').setChecked(hasFactor)
  await page.getByLabel('An hour ago').setChecked(isEarlier)
  await page.getByRole('button', { name: 'Sign in at Acme' }).click()
}

/** Signs in through the issuer with a browser that neither it nor the service knows. */
async function signInAtIssuer(page: Page, person: AtIssuer, next = '/overview'): Promise<void> {
  await forgetSession(page)
  await page.goto(`/signin?next=${encodeURIComponent(next)}`)
  await page.getByRole('button', { name: 'Continue with Acme' }).click()
  await fillIssuer(page, person)
  await page.waitForURL((url) => url.origin === E2E_URL)
  await hydrated(page)
}

test.beforeEach(({ watch }) => {
  // The issuer's page has no icon.
  watch.allow(/favicon\.ico/)
})

test('a domain lets colleagues into an account, and their groups give them a role', async ({ page }) => {
  const domain = newDomain()
  const [ada, grace] = [`ada@${domain}`, `grace@${domain}`]
  await signInAtIssuer(page, { email: ada }, '/settings/members')
  await expect(page).toHaveURL('/settings/members')
  await page.getByLabel(`Role of people of ${domain}`).selectOption('viewer')
  await page.getByRole('button', { name: `Add ${domain}` }).click()
  await expect(page.getByRole('list', { name: 'Domains' })).toContainText(domain)
  await page.getByLabel('Group at Acme').fill('engineering')
  await page.getByRole('button', { name: 'Add group' }).click()
  await expect(page.getByRole('list', { name: 'Groups' })).toContainText('engineering')

  await signInAtIssuer(page, { email: grace, groups: 'staff engineering' }, '/settings/members')
  await expect(page.getByRole('listitem').filter({ hasText: grace })).toContainText('developer')
  await expect(page.getByRole('listitem').filter({ hasText: ada })).toContainText('owner')
  await expect(page.getByRole('heading', { name: 'Sign-in with Acme' })).toHaveCount(0)
  await signInAtIssuer(page, { email: grace, groups: 'staff' }, '/settings/members')
  await expect(page.getByRole('listitem').filter({ hasText: grace })).toContainText('viewer')

  await signInAtIssuer(page, { email: ada }, '/settings/members')
  await page.getByLabel(`Role of ${domain}`).selectOption('billing')
  await expect(page.getByLabel(`Role of ${domain}`)).toHaveValue('billing')
  await page.getByRole('button', { name: `Remove ${domain}` }).click()
  await expect(page.getByRole('button', { name: `Add ${domain}` })).toBeVisible()
  await page.goto('/settings/audit')
  for (const what of ['Member joined', 'Role of a member changed', 'Settings changed'])
    await expect(page.getByRole('row').filter({ hasText: what }).first()).toBeVisible()
})

test('an address that is not verified gets nobody in', async ({ page }) => {
  await signInAtIssuer(page, { email: `eve@${newDomain()}`, isVerified: false })
  await expect(page).toHaveURL(/\/signin\?error=email_unverified/)
  await expect(page.getByText('The provider has not verified your e-mail address.')).toBeVisible()
  await page.goto('/overview')
  await expect(page).toHaveURL(/\/signin/)
})

test('an account that requires a second factor has the issuer’s word for it, or asks for one', async ({ page }) => {
  const domain = newDomain()
  await signInAtIssuer(page, { email: `ada@${domain}`, hasFactor: true }, '/settings/members')
  await page.getByRole('button', { name: `Add ${domain}` }).click()
  await expect(page.getByRole('list', { name: 'Domains' })).toContainText(domain)
  await page.getByRole('button', { name: 'Require second factors' }).click()
  await expect(page.getByText('Every member must have a second factor.')).toBeVisible()
  await page.goto('/keys')
  await expect(page).toHaveURL('/keys')

  await signInAtIssuer(page, { email: `grace@${domain}` }, '/keys')
  await expect(page).toHaveURL('/second-factor')
  await signInAtIssuer(page, { email: `grace@${domain}`, hasFactor: true }, '/keys')
  await expect(page).toHaveURL('/keys')
})

test('an address with a password is linked once its owner has signed in with it', async ({ page }) => {
  const login = makeLogin()
  await openAccount(page, login)
  await signInAtIssuer(page, { email: login.email })
  await expect(page.getByText('Your e-mail address has a sign-in here already.')).toBeVisible()
  await submitCredentials(page, login)
  await expect(page).toHaveURL('/settings/security')
  await page.getByRole('button', { name: 'Link Acme' }).click()
  await expect(page.getByText('You sign in with Acme.')).toBeVisible()

  await signInAtIssuer(page, { email: login.email }, '/settings/account')
  await expect(page.getByText(`Your address is ${login.email}.`)).toBeVisible()
  await expect(page.getByLabel('Current password')).toBeVisible()
})

test('somebody without a password proves who they are at the issuer, in another tab', async ({ page, watch }) => {
  watch.allow(/security\.confirm/)
  const person = { email: `ada@${newDomain()}` }
  await signInAtIssuer(page, { ...person, isEarlier: true }, '/settings/account')
  await expect(page.getByLabel('Current password')).toHaveCount(0)
  await page.getByRole('button', { name: 'Export data' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  const opened = page.context().waitForEvent('page')
  await dialog.getByRole('link', { name: 'Sign in again with Acme' }).click()
  const tab = await opened
  await expect(tab.getByText(person.email)).toBeVisible()
  await tab.getByRole('button', { name: 'Continue with Acme' }).click()
  // The issuer knows this browser, and asks again all the same.
  const download = page.waitForEvent('download')
  await fillIssuer(tab, person)
  await download
  await expect(dialog).toHaveCount(0)
})

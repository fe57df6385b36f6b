import { Secret, TOTP } from 'otpauth'
import { E2E_PORT } from './address'
import { expect, forgetSession, makeLogin, openAccount, openOperator, submitCredentials, test } from './fixtures'

/** The same service by the name with which browsers have passkeys on this machine. */
const LOCALHOST = `http://localhost:${E2E_PORT}`

const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

test('an owner sets up an authenticator app, and signs in with it or a recovery code', async ({ page, watch }) => {
  watch.allow(/confirmApp/)
  const login = makeLogin()
  await openAccount(page, login)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Set up authenticator app' }).click()
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const secret = (await page.getByTestId('app-secret').textContent()) ?? ''
  const code = page.getByLabel('Code that the app shows')
  await code.fill('000000')
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  await expect(code).toHaveAccessibleDescription(/This code is wrong/)
  await code.fill(codeOf(secret))
  await code.press('Enter')
  const shown = page.getByTestId('recovery-codes').getByRole('listitem')
  await expect(shown).toHaveCount(10)
  const codes = await shown.allTextContents()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByText('10 codes are left')).toBeVisible()

  // The code of now was used: the next one counts already.
  for (const given of [codeOf(secret, 1), codes[3] ?? '']) {
    await forgetSession(page)
    await page.goto('/signin?next=%2Fkeys')
    await submitCredentials(page, login)
    await expect(page).toHaveURL('/signin/second-factor?next=%2Fkeys')
    await expect(page.getByText(login.email)).toBeVisible()
    const field = page.getByLabel('Code of your authenticator app')
    await field.fill('000000')
    await field.press('Enter')
    await expect(field).toHaveAccessibleDescription(/This code is wrong/)
    await page.goto('/overview')
    await expect(page).toHaveURL('/signin')
    await page.goto('/signin/second-factor?next=%2Fkeys')
    await field.fill(given)
    await field.press('Enter')
    await expect(page).toHaveURL('/keys')
  }
  await page.goto('/settings/audit')
  for (const what of ['Second factor added', 'Second factor failed'])
    await expect(page.getByRole('row').filter({ hasText: what }).first()).toBeVisible()
})

test('a passkey is added, signs in alone and after the password, and is removed', async ({ page }) => {
  const login = makeLogin()
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  })
  await openAccount(page, login, LOCALHOST)
  await page.goto(`${LOCALHOST}/settings/security`)
  await page.getByLabel('Name of a new passkey').fill('Test laptop')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText('Test laptop')

  await forgetSession(page)
  await page.goto(`${LOCALHOST}/signin?next=%2Fkeys`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page).toHaveURL(`${LOCALHOST}/keys`)

  await forgetSession(page)
  await page.goto(`${LOCALHOST}/signin`)
  await submitCredentials(page, login)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL(`${LOCALHOST}/overview`)

  await page.goto(`${LOCALHOST}/settings/security`)
  await page.getByRole('button', { name: 'Remove Test laptop' }).click()
  await expect(page.getByRole('list', { name: 'Passkeys' })).toHaveCount(0)
  await expect(page.getByText('codes are left')).toHaveCount(0)
})

test('a step-up is a dialog over the page, which keeps what was typed', async ({ page, watch }) => {
  watch.allow(/keys\.create|proveByPassword|security\.confirm/)
  const login = makeLogin()
  await openAccount(page, { ...login, isProven: false })
  await page.goto('/keys/new')
  await page.getByLabel('Name', { exact: true }).fill('without a budget')
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByLabel('Password of this account').fill('not the password')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(dialog.getByLabel('Password of this account')).toHaveAccessibleDescription(/not your current password/)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('Confirm that it is you: your password or a second factor')).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('without a budget')

  await page.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByLabel('Password of this account').fill(login.password)
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('secret')).toContainText('tg_')

  await page.goto('/settings/account')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export data' }).click()
  expect((await download).suggestedFilename()).toMatch(/^tollgate-.*\.zip$/)
})

test('an operator of a sandbox is offered a second factor, and not made to add one', async ({ page }) => {
  await openOperator(page)
  await page.goto('/operators')
  await expect(page).toHaveURL('/operators')
  await page.goto('/second-factor')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add a second factor')
  await expect(page.getByText('Your password alone then signs nobody in.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Passkeys' })).toBeVisible()
})

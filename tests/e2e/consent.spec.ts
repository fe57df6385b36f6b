import {
  callToolWithKey,
  expect,
  forgetSession,
  makeLogin,
  openAccount,
  SEARCH_PARAMS,
  submitCredentials,
  test,
} from './fixtures'
import { startApplication } from './oauth'

const NAME = 'Acme <b>Desk</b>'

test('an owner signs in, allows an application some tools, sees its key and revokes it', async ({ page }) => {
  const login = makeLogin()
  await openAccount(page, login)
  await forgetSession(page)
  const application = await startApplication(NAME)
  await page.goto(application.authorizePath)
  await expect(page).toHaveURL(/\/signin\?next=%2Fauthorize%2Fconsent%3F/)
  await submitCredentials(page, login)

  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Allow ${NAME} to use your credits?`)
  await expect(page.getByText('It is not verified')).toBeVisible()
  await expect(page.getByText(new URL(application.redirect).host)).toBeVisible()
  await expect(page.getByText(login.email)).toBeVisible()
  await page.getByLabel('Selected tools').check()
  await page.getByRole('checkbox', { name: /web_search/ }).check()
  const limit = page.getByLabel('Spend limit in credits')
  await expect(limit).toHaveValue('5000')
  await limit.fill('0')
  await page.getByRole('button', { name: 'Allow access' }).click()
  await expect(limit).toHaveAccessibleDescription(/A whole number from 1/)
  await limit.fill('40')
  await expect(page.getByTestId('meaning')).toContainText('At most 40 credits in total')
  await page.getByRole('button', { name: 'Allow access' }).click()

  await expect(page).toHaveURL((url) => url.href.startsWith(application.redirect))
  const back = new URL(page.url()).searchParams
  expect(back.get('state')).toBe('the state')
  const key = await application.exchange(back.get('code') ?? '')
  const call = await callToolWithKey(key, 'web_search', SEARCH_PARAMS)
  expect(call).toMatchObject({ status: 200, body: { service: { credits_charged: 1 } } })
  expect((await callToolWithKey(key, 'crypto_get_prices', { coinIds: ['bitcoin'] })).status).toBe(403)

  await page.goto('/keys')
  await page.getByRole('link', { name: `${NAME} via OAuth` }).click()
  await expect(page.getByText('allowed through OAuth')).toBeVisible()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByText('revoked', { exact: true })).toBeVisible()
  expect((await callToolWithKey(key, 'web_search', SEARCH_PARAMS)).status).toBe(401)
  await application.stop()
})

test('Deny leads back to the application without a code', async ({ fresh }) => {
  const application = await startApplication('Other')
  await fresh.setViewportSize({ width: 390, height: 844 })
  await fresh.goto(application.authorizePath)
  await fresh.getByRole('button', { name: 'Deny' }).click()
  await expect(fresh).toHaveURL((url) => url.href.startsWith(application.redirect))
  const back = new URL(fresh.url()).searchParams
  expect([back.get('error'), back.get('state'), back.get('code')]).toEqual(['access_denied', 'the state', null])
  await application.stop()
})

test('the page says what is wrong with a request, and is never shown in a frame', async ({ fresh }) => {
  const answer = await fresh.goto('/authorize/consent?client_id=x&redirect_uri=https://evil.example/')
  await expect(fresh.getByRole('heading', { level: 1 })).toHaveText('This request is not valid')
  await expect(fresh.getByText('This client is not registered here')).toBeVisible()
  await expect(fresh.getByRole('link')).toHaveCount(0)
  expect(answer?.headers()['x-frame-options']).toBe('DENY')
  expect(answer?.headers()['content-security-policy']).toContain("frame-ancestors 'none'")
})

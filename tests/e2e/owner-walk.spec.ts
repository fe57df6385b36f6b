import { randomUUID } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import {
  callToolWithKey,
  expect,
  type Login,
  makeLogin,
  openOperator,
  readNewSecret,
  SEARCH_PARAMS,
  signUpInBrowser,
  submitCredentials,
  test,
} from './fixtures'

const step = (page: Page, name: string) => page.getByRole('list', { name: 'First steps' }).getByRole('link', { name })

async function createMonthlyKey(page: Page): Promise<string> {
  await step(page, 'Make a key (to do)').click()
  await page.getByLabel('Name', { exact: true }).fill('monthly')
  await page.getByLabel('Agent runs').check()
  await page.getByLabel('Recurring budget').check()
  await page.getByLabel('Credits a period').fill('4000')
  await page.getByLabel('Period', { exact: true }).selectOption('month')
  await expect(page.getByTestId('meaning')).toContainText('4\u202f000 credits a month')
  await page.getByRole('button', { name: 'Create key' }).click()
  const secret = await readNewSecret(page)
  await page.getByRole('link', { name: 'Done' }).click()
  await expect(page.getByText('Budget of this month').first()).toBeVisible()
  return secret
}

/** The price is there before the button is pressed, and a dear call is confirmed. */
async function makeVideo(page: Page): Promise<void> {
  await page.goto('/catalog/video_generate')
  await page.getByLabel('prompt').fill('A lighthouse at dawn')
  await expect(page.getByTestId('price')).toContainText(/credits ≈ \$/)
  await page.getByRole('button', { name: /^Run/ }).first().click()
  const confirm = page.getByRole('alertdialog', { name: 'Confirm the price' })
  await confirm.getByRole('button', { name: /^Run/ }).click()
  await expect(page.getByText(/charged/i).first()).toBeVisible()
}

const SLUG = `walk-${randomUUID().slice(0, 8)}`
const publish = (content: string) => ({
  name: 'site_publish',
  arguments: { slug: SLUG, files: [{ path: 'index.html', content }] },
})
const GOAL = `Tidy up. [[sandbox ${JSON.stringify({
  turns: [{ toolCalls: [publish('one')] }, { toolCalls: [publish('two')] }, { text: 'It is all gone.' }],
})}]]`

/** Starts a run, approves what it asks, and reads the result. Returns the job's id. */
async function approveRun(page: Page, { email }: Login): Promise<string> {
  await page.goto('/jobs/new')
  await page.getByLabel('Goal').fill(GOAL)
  await page.getByRole('button', { name: /^Start run/ }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Start run/ })
    .click()
  await expect(page).toHaveURL(/\/jobs\/[0-9a-f-]{36}$/)
  const asked = page.getByRole('region', { name: 'The agent needs your approval' })
  await expect(asked).toContainText(`Replace version 1 of the site ${SLUG}`)
  await asked.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByRole('region', { name: 'Result of turn 1' })).toContainText('It is all gone.')
  await page.getByRole('button', { name: /^\d+ steps/ }).click()
  await expect(page.getByRole('list', { name: 'Steps of turn 1' })).toContainText(`Approved by ${email}`)
  return page.url().split('/').at(-1) ?? ''
}

async function readReceiptsOf(page: Page, jobId: string): Promise<void> {
  await page.getByRole('link', { name: 'Receipts' }).click()
  await expect(page).toHaveURL(new RegExp(`/usage\\?.*job=${jobId}`))
  await expect(page.getByRole('row').filter({ hasText: 'northwind' }).first()).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'video_generate' })).toHaveCount(0)
}

/** Changes the password; the owner's other browser is then signed out. */
async function changePassword(page: Page, login: Login, browser: Browser): Promise<void> {
  const other = await (await browser.newContext()).newPage()
  await other.goto('/signin')
  await submitCredentials(other, login)
  await expect(other).toHaveURL('/overview')
  await page.goto('/settings/account')
  await page.getByLabel('Current password').first().fill(login.password)
  await page.getByLabel('New password').fill('a quite different one')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Every other browser was signed out')).toBeVisible()
  await other.goto('/keys')
  await expect(other).toHaveURL('/signin?next=%2Fkeys')
  await other.context().close()
}

async function suspend(browser: Browser, { email }: Login): Promise<void> {
  const operator = await (await browser.newContext()).newPage()
  await openOperator(operator)
  await operator.goto('/overview')
  await operator.getByRole('link', { name: 'Operators', exact: true }).click()
  await operator.getByLabel('Search owners').fill(email)
  await operator.getByRole('link', { name: email }).click()
  await operator.getByRole('button', { name: 'Suspend owner' }).click()
  await operator.getByLabel('Reason').fill('an unpaid invoice')
  await operator.getByRole('button', { name: 'Suspend owner' }).click()
  await expect(operator.getByText('an unpaid invoice').first()).toBeVisible()
  await operator.goto('/operators/log')
  await expect(operator.getByRole('row').filter({ hasText: email }).first()).toContainText('Account suspended')
  await operator.context().close()
}

test('an owner’s whole way: key, price, run, receipts, password, suspension, audit log', async ({ page, browser }) => {
  const login = makeLogin()
  await signUpInBrowser(page, login)
  const secret = await createMonthlyKey(page)
  await makeVideo(page)
  await readReceiptsOf(page, await approveRun(page, login))
  await changePassword(page, login, browser)
  expect((await callToolWithKey(secret, 'web_search', SEARCH_PARAMS)).status).toBe(200)

  await suspend(browser, login)
  const refused = await callToolWithKey(secret, 'web_search', SEARCH_PARAMS)
  expect([refused.status, refused.body.code, refused.body.error]).toEqual([
    403,
    'forbidden',
    expect.stringContaining('an unpaid invoice'),
  ])
  await page.goto('/overview')
  await expect(page.getByText('an unpaid invoice').first()).toBeVisible()

  await page.goto('/settings/audit')
  const log = page.getByRole('region', { name: 'Audit log' })
  for (const what of ['Account created', 'Key created', 'Password changed', 'Account suspended'])
    await expect(log.getByRole('row').filter({ hasText: what })).toBeVisible()
  await page.getByLabel('From').fill('2099-01-01')
  await expect(page.getByText('No matching events')).toBeVisible()
  await page.getByRole('link', { name: 'All', exact: true }).click()
  await expect(log.getByRole('row').filter({ hasText: 'Account created' })).toBeVisible()
})

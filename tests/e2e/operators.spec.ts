import { E2E_URL } from './address'
import { auditBothThemes } from './audit'
import { createKeyOf, expect, openOperator, test } from './fixtures'

test('operators see who takes the most now, and go to what limits that owner', async ({ busy, browser }) => {
  await busy.goto('/settings/account')
  const operator = await (await browser.newContext()).newPage()
  await openOperator(operator)
  await operator.goto('/operators/traffic')
  await operator.getByRole('link', { name: 'Last 5 minutes' }).click()
  await expect(operator).toHaveURL('/operators/traffic?range=now')
  const table = operator.getByRole('region', { name: 'Owners by traffic' })
  await table.getByRole('link', { name: 'Time in all' }).click()
  await expect(table.getByRole('columnheader', { name: 'Time in all' })).toHaveAttribute('aria-sort', 'descending')
  await table.locator('tbody').getByRole('link').first().click()
  await expect(operator.getByRole('button', { name: 'Suspend owner' })).toBeVisible()
  await operator.context().close()
})

test('operators see which processes serve, of which release and since when', async ({ page }) => {
  await openOperator(page)
  await page.goto('/operators/runs')
  const web = page.getByRole('region', { name: 'Processes' }).getByRole('row').filter({ hasText: 'Web' }).first()
  await expect(web).toContainText('Alive')
  await expect(web).toContainText(/\d+\.\d+\.\d+/)
  await expect(web).toContainText('seen')
})

test('operators read why an owner’s requests ended as they did, those that ran and those that were refused', async ({
  busy,
  browser,
}) => {
  const key = await createKeyOf(busy, { name: 'for one tool', tools: ['crypto_get_prices'] })
  const query = (body: object) =>
    fetch(`${E2E_URL}/api/v1/query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  expect((await query({ tool: 'web_search', params: { query: 'harbours' } })).status).toBe(403)
  const operator = await (await browser.newContext()).newPage()
  await openOperator(operator)
  const me = await busy.request.get('/api/trpc/account.me')
  const { email } = (await me.json()).result.data as { email: string }
  await operator.goto(`/operators?q=${encodeURIComponent(email)}`)
  await operator.getByRole('link', { name: email }).click()
  await operator.getByRole('link', { name: 'All of them' }).first().click()
  await expect(operator.getByRole('heading', { level: 1, name: 'Requests' })).toBeVisible()
  await expect(operator.getByRole('navigation', { name: 'Requests that' }).locator('[aria-current]')).toHaveText('Ran')
  await operator.getByRole('link', { name: 'Refused', exact: true }).click()
  await operator.getByRole('link', { name: '429', exact: true }).click()
  await expect(operator.getByText('No such requests')).toBeVisible()
  await operator.getByRole('link', { name: '403', exact: true }).click()
  await expect(operator).toHaveURL(/kind=refused&status=403$/)
  await expect(operator.getByRole('row').filter({ hasText: 'web_search' })).toContainText('not_granted')
  const picker = operator.getByRole('combobox', { name: 'Key' })
  await picker.click()
  await picker.fill('nightly')
  await operator.getByRole('option', { name: /nightly research/ }).click()
  await expect(operator).toHaveURL(/kind=refused&status=403&keyId=\d+$/)
  await expect(operator.getByText('No such requests')).toBeVisible()
  await operator.getByRole('link', { name: 'Ran', exact: true }).click()
  await expect(operator.getByRole('row').filter({ hasText: 'crypto_get_prices' }).first()).toBeVisible()
  await expect(picker).toHaveValue('nightly research')
  await auditBothThemes(operator)
  await operator.goBack()
  await operator.getByRole('link', { name: email }).click()
  await operator.getByRole('link', { name: 'Requests of for one tool' }).click()
  await expect(operator.getByText('No such requests')).toBeVisible()
  await operator.context().close()
})

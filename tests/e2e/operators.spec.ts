import { expect, openOperator, test } from './fixtures'

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

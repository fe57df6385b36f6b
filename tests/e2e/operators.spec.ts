import { expect, openOperator, test } from './fixtures'

test('operators see which processes serve, of which release and since when', async ({ page }) => {
  await openOperator(page)
  await page.goto('/operators/runs')
  const web = page.getByRole('region', { name: 'Processes' }).getByRole('row').filter({ hasText: 'Web' }).first()
  await expect(web).toContainText('Alive')
  await expect(web).toContainText(/\d+\.\d+\.\d+/)
  await expect(web).toContainText('seen')
})

import { createKeyOf, expect, openAccount, test } from './fixtures'

test('an owner sees why an app stopped: which calls were refused, by which limit', async ({ page }) => {
  await openAccount(page)
  const key = await createKeyOf(page, { name: 'nightly app', budget: 6, rpm: 3 })
  await page.goto('/usage/refused')
  await expect(page.getByText('Nothing was refused in 24 hours')).toBeVisible()
  const read = () =>
    page.request.post('/api/v1/query', {
      headers: { authorization: `Bearer ${key}` },
      data: { tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } },
    })
  const statuses = []
  for (let n = 0; n < 5; n++) statuses.push((await read()).status())
  expect(statuses.slice(2)).toEqual([402, 429, 429])
  // Written a second after the answers.
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('region', { name: 'Refused calls' }).getByRole('row')).toHaveCount(4, {
      timeout: 1_000,
    })
  }).toPass()
  await expect(page.getByRole('figure').getByRole('listitem')).toHaveText([/^429 Too many requests\s*2$/, /^402 .+1$/])
  const paid = page.getByRole('row').filter({ hasText: 'Not enough credits' })
  await expect(paid.getByRole('cell', { name: 'crypto_get_prices' })).toBeVisible()
  await paid.getByRole('link', { name: 'nightly app' }).click()
  await page.getByRole('link', { name: '3 refused in 24 hours' }).click()
  await expect(page.getByRole('heading', { name: 'Refused calls', level: 1 })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Key' })).toHaveCount(0)
  await page.getByRole('link', { name: '7 days' }).click()
  await expect(page).toHaveURL(/range=week/)
  await expect(page).toHaveURL(/keyId=/)
})

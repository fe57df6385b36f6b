import { expect, openAccount, readNewSecret, test } from './fixtures'

test('an owner makes a management key, and a program makes fifty keys with it', async ({ page }) => {
  await openAccount(page)
  await page.goto('/keys')
  await page.getByRole('link', { name: 'New management key' }).click()
  await page.getByLabel('Name').fill('CRM')
  await page.getByLabel('Only keys with the tag').fill('shop')
  await page.getByLabel('Bound what its keys may have').check()
  await page.getByLabel('Lifetime budget').check()
  await page.getByLabel('Budget in credits').fill('500')
  await page.getByRole('button', { name: 'Create management key' }).click()
  const secret = await readNewSecret(page)
  expect(secret).toMatch(/^tgm_/)
  const headers = { authorization: `Bearer ${secret}` }
  for (let n = 0; n < 50; n++) {
    const data = { name: `Customer ${n}`, tools: 'all', budget: 500 }
    const made = await page.request.put(`/api/v1/manage/keys/customer-${n}`, { headers, data })
    expect(made.status()).toBe(201)
  }
  const tooMuch = { name: 'x', tools: 'all', budget: 501 }
  expect((await page.request.post('/api/v1/manage/keys', { headers, data: tooMuch })).status()).toBe(403)
  await page.getByRole('link', { name: 'Done' }).click()
  await expect(page.getByText('Its keys may have at most')).toBeVisible()
  await page.goto('/keys?tag=shop')
  await expect(page.getByRole('link', { name: 'Customer 49' })).toBeVisible()
  await page.goto('/settings/audit')
  await expect(page.getByText('Key CRM').filter({ visible: true }).first()).toBeVisible()
})

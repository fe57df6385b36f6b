import { callToolWithKey, createKeyOf, expect, openAccount, SEARCH_PARAMS, test } from './fixtures'

test('an owner makes a budget for a tag, sees what is spent, changes and deletes it', async ({ page, watch }) => {
  // What is wrong in the form.
  watch.allow(/400/)
  await openAccount(page)
  const key = await createKeyOf(page, { name: 'till', tags: ['shop'] })
  await page.goto('/budgets')
  await expect(page.getByText('No budgets')).toBeVisible()
  await page.getByRole('link', { name: 'New budget' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Shop a month')
  await page.getByLabel('Credits', { exact: true }).fill('12')
  await page.getByLabel('Names of tools').fill('webb')
  await page.getByLabel('Tags of keys').fill('shop')
  await page.getByRole('button', { name: 'Create budget' }).click()
  await expect(page.getByText('There is no "webb" here')).toBeVisible()
  await page.getByLabel('Names of tools').fill('web')
  await page.getByRole('button', { name: 'Create budget' }).click()
  await expect(page.getByRole('heading', { name: 'Shop a month' })).toBeVisible()
  await expect(page.getByText('web_*')).toBeVisible()

  const call = () => callToolWithKey(key, 'web_search', SEARCH_PARAMS)
  expect((await call()).status).toBe(200)
  await page.reload()
  const spent = await page
    .getByRole('img', { name: /^Shop a month: [1-9]\d* of 12 credits spent/ })
    .getAttribute('aria-label')
  const price = Number(spent?.match(/: (\d+) of/)?.[1])
  await page.getByRole('link', { name: 'Edit budget' }).click()
  await page.getByLabel('Credits', { exact: true }).fill(String(price))
  await page.getByRole('button', { name: 'Save budget' }).click()
  await expect(page.getByText('0 left')).toBeVisible()
  expect(await call()).toMatchObject({
    status: 402,
    body: { limitSource: 'budget', limit: { name: 'Shop a month', cap: price } },
  })

  await page.keyboard.press('g')
  await page.keyboard.press('b')
  await expect(page.getByRole('table')).toContainText('keys tagged shop')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Delete budget' }).click()
  await expect(page.getByText('It limits no call any more.')).toBeVisible()
  await page.getByRole('button', { name: 'Delete budget' }).click()
  await expect(page.getByText('No budgets')).toBeVisible()
  expect((await call()).status).toBe(200)
  await page.goto('/settings/audit')
  await expect(page.getByText('Budget deleted').filter({ visible: true }).first()).toBeVisible()
})

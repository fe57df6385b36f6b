import { auditBothThemes } from './audit'
import { callToolWithKey, createKeyOf, expect, openAccount, SEARCH_PARAMS, test } from './fixtures'

test('the bell counts what is not read, and settings say what is sent', async ({ page, watch }) => {
  // What is wrong in the form.
  watch.allow(/400/)
  await openAccount(page)
  await page.goto('/notices')
  await expect(page.getByText('No notices yet')).toBeVisible()
  const key = await createKeyOf(page, { name: 'small', budget: 9 })
  while ((await callToolWithKey(key, 'web_search', SEARCH_PARAMS)).status === 200);
  await expect(async () => {
    await page.goto('/overview')
    await expect(page.getByRole('button', { name: /^Notices, [1-9] unread$/ })).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await page.getByRole('button', { name: /^Notices/ }).click()
  await page
    .getByRole('link', { name: /The key small (has used|refused)/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { name: 'small' })).toBeVisible()
  await page.goto('/notices')
  await expect(page.getByRole('link', { name: /The key small/ }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Notices', exact: true })).toBeVisible()

  await page.goto('/settings/notices')
  await page.getByLabel('Notice at these percentages').fill('90, 200')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText('Write up to five numbers')).toBeVisible()
  await page.getByLabel('Notice at these percentages').fill('90')
  await page.getByLabel('Webhook URL').fill('http://10.0.0.1/x')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText('not on the public internet')).toBeVisible()
  await page.getByLabel('Webhook URL').fill('')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Notice at these percentages')).toHaveValue('90')
  for (const width of [1_280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of ['/notices', '/settings/notices']) {
      await page.goto(path)
      expect(await auditBothThemes(page), `${path} at ${width}`).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
  }
})

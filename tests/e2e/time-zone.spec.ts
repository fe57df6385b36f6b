import { expect, makeLogin, openAccount, test } from './fixtures'

test.use({ timezoneId: 'Europe/Berlin' })

test('a new account takes the time zone of its browser', async ({ page }) => {
  await openAccount(page)
  await page.goto('/settings/preferences')
  await expect(page.getByLabel('Time zone')).toHaveValue('Europe/Berlin')
  await expect(page.getByRole('region', { name: 'Time zone' })).toHaveCount(0)
})

test('the owner of an old account is asked once whether days begin where the browser is', async ({ page }) => {
  await openAccount(page, { ...makeLogin(), isOld: true })
  await page.goto('/overview')
  const offer = page.getByRole('region', { name: 'Time zone' })
  await expect(offer).toContainText('This browser is in Europe/Berlin')
  await offer.getByRole('button', { name: 'Keep UTC' }).click()
  await expect(offer).toHaveCount(0)
  await page.goto('/settings/preferences')
  await expect(page.getByLabel('Time zone')).toHaveValue('UTC')
  await expect(offer).toHaveCount(0)
})

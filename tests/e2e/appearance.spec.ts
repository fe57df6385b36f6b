import { expect, test } from './fixtures'

const PHONE = { width: 390, height: 844 }

test('the theme follows the system until one is chosen, and the choice is kept', async ({ busy: page }) => {
  const surface = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/overview')
  const light = await surface()
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await surface()
  expect(dark).not.toBe(light)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('button', { name: 'Light', exact: true }).click()
  expect(await surface()).toBe(light)
  const html = await (await page.request.get('/overview')).text()
  expect(html).toMatch(/<html[^>]*data-theme="light"/)
  await page.reload()
  expect(await surface()).toBe(light)
})

test('on a phone the navigation is a bar at the bottom that covers nothing', async ({ busy: page }) => {
  await page.setViewportSize(PHONE)
  await page.goto('/overview')
  const navigation = page.getByRole('navigation', { name: 'Pages' })
  expect(await navigation.evaluate((el) => el.getBoundingClientRect().bottom)).toBe(844)
  await navigation.getByRole('link', { name: 'Keys' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Keys')
  await expect(navigation.getByRole('link', { name: 'Keys' })).toHaveAttribute('aria-current', 'page')
  await page.getByRole('link', { name: 'New key' }).click()
  const create = page.getByRole('button', { name: 'Create key' })
  await create.scrollIntoViewIfNeeded()
  const [button, bar] = await Promise.all([create.boundingBox(), navigation.boundingBox()])
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThan(bar?.y ?? 0)
})

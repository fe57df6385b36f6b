import { auditBothThemes } from './audit'
import { callToolWithKey, createKeyOf, expect, openAccount, SEARCH_PARAMS, test } from './fixtures'

test('usage has durations and refusals beside spend, a name for each of a few days, and credits in sight on a phone', async ({
  page,
}) => {
  await openAccount(page)
  const key = await createKeyOf(page, { name: 'app' })
  for (let n = 0; n < 3; n++) expect((await callToolWithKey(key, 'web_search', SEARCH_PARAMS)).status).toBe(200)
  expect((await callToolWithKey(key, 'no_such_tool', {})).status).toBe(400)
  await page.goto('/usage?range=7d')
  const totals = page.getByLabel('Totals', { exact: true })
  await expect(totals).toContainText(/Duration, median\d+ ms/)
  await expect(totals).toContainText('None in the 7 days before')
  await expect(totals).toContainText('Refused in 7 days')
  const today = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date())
  await expect(page.getByRole('figure').getByText(today, { exact: true }).first()).toBeVisible()
  for (const width of [1_440, 320]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await auditBothThemes(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    const shots = process.env.USAGE_SHOTS
    if (shots) await page.screenshot({ path: `${shots}/usage-${width}.png`, fullPage: true })
  }
  const column = page.getByRole('columnheader', { name: 'Credits', exact: true }).last()
  await column.scrollIntoViewIfNeeded()
  const place = await column.boundingBox()
  expect((place?.x ?? 0) + (place?.width ?? 0)).toBeLessThanOrEqual(320)
  await page.getByRole('row').filter({ hasText: 'web_search' }).first().click()
  await expect(
    page
      .getByRole('dialog')
      .or(page.getByRole('complementary', { name: /receipt/i }))
      .first(),
  ).toBeVisible()
})

test('a view of usage is saved by a name, opened from the menu, and deleted', async ({ page, watch }) => {
  watch.allow(/409/)
  await openAccount(page)
  const key = await createKeyOf(page, { name: 'app' })
  expect((await callToolWithKey(key, 'web_search', SEARCH_PARAMS)).status).toBe(200)
  await page.goto('/usage?range=7d&product=tool&by=tool&cursor=')
  const menu = page.getByRole('button', { name: /^(Saved views|View: )/ })
  const views = page.getByRole('region', { name: 'Saved views' })
  await menu.click()
  await expect(views).toContainText('No views yet.')
  await expect(views).toContainText('It keeps: 7 days, by tool, Tools.')
  const save = async (name: string) => {
    await views.getByLabel('Name of this view').fill(name)
    await page.keyboard.press('Enter')
  }
  await save('Tools this week')
  await expect(views.getByRole('status')).toHaveText('Saved. It is in this list.')
  await expect(menu).toHaveText('View: Tools this week')
  await save('tools THIS week')
  await expect(views.getByRole('alert')).toContainText('Choose another name')
  await expect(views.getByRole('listitem')).toHaveCount(1)
  await page.getByRole('navigation', { name: 'Days' }).getByRole('link', { name: 'All' }).click()
  await expect(menu).toHaveText('Saved views1')
  await save('A name that is quite long and has no place on a small window')
  await expect(views.getByRole('listitem')).toHaveCount(2)
  await views.getByRole('link', { name: 'Tools this week' }).click()
  await expect(page).toHaveURL('/usage?range=7d&product=tool&by=tool')
  await expect(views).toBeHidden()
  await menu.click()
  for (const width of [1_440, 390, 320]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await auditBothThemes(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    const shots = process.env.USAGE_SHOTS
    if (shots) await page.screenshot({ path: `${shots}/views-${width}.png` })
  }
  await views.getByRole('button', { name: 'Delete the view Tools this week' }).click()
  await views.getByRole('button', { name: 'Delete view' }).click()
  await expect(views.getByRole('listitem')).toHaveCount(1)
  await expect(menu).toHaveText('Saved views1')
})

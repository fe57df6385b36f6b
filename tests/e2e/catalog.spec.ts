import type { Page } from '@playwright/test'
import { auditBothThemes } from './audit'
import { expect, openAccount, test } from './fixtures'

const run = (page: Page) => page.getByRole('button', { name: /^Run (tool|for)/ }).first()
/** Answers the question before a dear call. */
const confirm = (page: Page) => page.getByRole('alertdialog').getByRole('button', { name: /^Run for/ })
/** The result as JSON, behind its tab. */
const result = (page: Page) => page.getByRole('region', { name: 'Result', exact: true })
const openJson = (page: Page) => page.getByRole('tab', { name: 'JSON', exact: true }).click()
const rows = (page: Page) => page.getByRole('region', { name: 'Table of rows' })
const charge = (page: Page) => page.getByTestId('charge')
/** Inside the page: Next renders another alert outside. */
const alert = (page: Page) => page.getByRole('main').getByRole('alert')
const curl = (page: Page) => page.getByLabel('curl').locator('pre')
const field = (page: Page, name: string) => page.getByRole('form').getByLabel(name)

async function balance(page: Page): Promise<number> {
  const text = await page.getByTestId('balance').textContent()
  return Number(/([\d\u202f]+) credit/.exec(text ?? '')?.[1]?.replaceAll('\u202f', ''))
}

test('a tool can be found, its id and a call copied, and its page opened', async ({ fresh: page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await page.goto('/overview')
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Catalog' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Catalog')
  await expect(page.getByRole('status').filter({ hasText: 'tools' })).toHaveText(/^\d+ tools$/)
  await page.getByLabel('Search tools').fill('crypto get prices')
  await expect(page.getByRole('status').filter({ hasText: 'tool' })).toHaveText('1 tool')
  await expect(page).toHaveURL('/catalog?q=crypto+get+prices')
  await page.getByRole('button', { name: 'Copy crypto_get_prices' }).click()
  expect(await clipboard()).toBe('crypto_get_prices')
  await expect(page.getByRole('dialog')).toBeHidden()

  await page.reload()
  await page.getByRole('button', { name: 'Crypto prices', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Crypto prices' })
  await expect(panel).toContainText('3 credits')
  await expect(panel.getByRole('listitem').filter({ hasText: 'coinIds' })).toContainText('required')
  await expect(panel.getByRole('listitem').filter({ hasText: 'currencies' })).toContainText('Default ["usd"]')
  for (const name of ['curl', 'TypeScript', 'Python', 'MCP']) {
    await panel.getByRole('tab', { name, exact: true }).click()
    await expect(panel.getByRole('tabpanel').locator('pre')).toContainText('crypto_get_prices')
  }
  await panel.getByRole('tabpanel').getByRole('button', { name: 'Copy' }).click()
  expect(await clipboard()).toContain('tools/call')
  await panel.getByRole('link', { name: 'Run tool' }).click()
  await expect(page).toHaveURL('/catalog/crypto_get_prices')
  await expect(page).toHaveTitle('Crypto prices · Tollgate')
})

test('groups filter the list, and a search without results says so', async ({ fresh: page }) => {
  await page.goto('/catalog?group=Media')
  await expect(page.getByRole('row', { name: /Generate a video/ })).toContainText('metered')
  await expect(page.getByRole('row', { name: /Web search/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Generate a video' }).click()
  await page.getByRole('tab', { name: 'MCP' }).click()
  await expect(page.getByRole('tabpanel')).toContainText('MCP does not offer this tool')
  await page.keyboard.press('Escape')
  await page.getByLabel('Search tools').fill('no such thing')
  await expect(page.getByText('No matching tools')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByRole('row', { name: /Web search/ })).toBeVisible()
  await expect(page).toHaveURL('/catalog')
})

test('the list and the form work by keyboard alone', async ({ page }) => {
  await openAccount(page)
  await page.goto('/catalog')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await expect(page.getByRole('button', { name: 'Web search', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Web search' })).toBeVisible()
  await expect(page).toHaveURL('/catalog?tool=web_search')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.goto('/catalog/crypto_get_prices')
  await field(page, 'coinIds').focus()
  await page.keyboard.press('Control+Enter')
  await expect(charge(page)).toContainText('3 credits')
})

test('a run is charged to the owner, shows its result, and is listed in Usage', async ({ page }) => {
  await openAccount(page)
  await page.goto('/catalog/crypto_get_prices')
  const before = await balance(page)
  await expect(field(page, 'coinIds')).toHaveValue('bitcoin\nethereum')
  await run(page).click()
  await expect(charge(page)).toContainText('3 credits')
  await expect(rows(page).getByRole('columnheader', { name: 'prices.usd.price', exact: true })).toBeVisible()
  await expect(rows(page).getByRole('row', { name: /bitcoin/ })).toBeVisible()
  // By keyboard: the arrow moves to the tab beside.
  await page.getByRole('tab', { name: 'Table', exact: true }).press('ArrowRight')
  await expect(result(page)).toContainText('"totalRows": 2')
  await expect.poll(() => balance(page)).toBe(before - 3)

  await page.getByText('More parameters (4)').click()
  await expect(field(page, 'currencies')).toHaveAttribute('placeholder', 'usd')
  await expect(curl(page)).toContainText('"params":{"coinIds":["bitcoin","ethereum"]}')
  await field(page, 'currencies').fill('eur\njpy')
  await field(page, 'includeMarketCap').selectOption('no')
  await expect(curl(page)).toContainText(
    '"params":{"coinIds":["bitcoin","ethereum"],"currencies":["eur","jpy"],"includeMarketCap":false}',
  )
  await expect(curl(page)).toContainText('$TOLLGATE_KEY')
  await run(page).click()
  await expect(rows(page)).toContainText('prices.jpy.price')
  await expect(rows(page)).not.toContainText('marketCap')

  await page.getByRole('link', { name: 'Receipt' }).click()
  const receipt = page.getByRole('dialog', { name: 'crypto_get_prices' })
  await expect(receipt).toContainText('Playground')
  await expect(receipt).toContainText('None (dashboard)')
  await expect(receipt).toContainText('3 credits')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: 'Calls', exact: true }).getByRole('row')).toHaveCount(3)
})

test('an invalid parameter has an error at its field, and nothing is charged', async ({ page, watch }) => {
  await openAccount(page)
  watch.allow(/400/)
  await page.goto('/catalog/web_search')
  const before = await balance(page)
  await field(page, 'query').fill('')
  await run(page).click()
  await expect(field(page, 'query')).toHaveAccessibleDescription('Required')
  await expect(field(page, 'query')).toBeFocused()
  await expect(alert(page)).toContainText('Fix the highlighted fields')
  await field(page, 'query').fill('tides')
  await expect(alert(page)).toBeHidden()

  await page.getByText('More parameters').click()
  await field(page, 'country').fill('xyz')
  await page.getByText('More parameters').click()
  await run(page).click()
  await expect(alert(page)).toContainText('Some parameters are invalid. Nothing was charged.')
  await expect(field(page, 'country')).toHaveAccessibleDescription(/two-letter/)
  await expect(field(page, 'country')).toBeFocused()
  await field(page, 'country').fill('gb')
  await run(page).click()
  await expect(charge(page)).toContainText('1 credit')
  await expect.poll(() => balance(page)).toBe(before - 1)
})

test('objects are typed as JSON, numbers are checked against their range, and several values selected', async ({
  fresh: page,
}) => {
  await page.goto('/catalog/web_screenshot')
  await page.getByText('More parameters').click()
  await field(page, 'viewport').fill('{"width": 800,')
  await field(page, 'timeout').fill('500')
  await run(page).click()
  await expect(field(page, 'viewport')).toHaveAccessibleDescription(/^Not JSON: /)
  await expect(field(page, 'timeout')).toHaveAccessibleDescription('From 1 to 180')
  await expect(field(page, 'viewport')).toBeFocused()
  await field(page, 'viewport').fill('{"width": 800, "height": 600}')
  await field(page, 'timeout').fill('5')
  await expect(curl(page)).toContainText('"viewport":{"width":800,"height":600},"timeout":5')

  await page.goto('/catalog/property_search')
  await page.getByText('More parameters').click()
  const bedrooms = page.getByRole('group', { name: 'bedrooms' })
  await bedrooms.getByLabel('4').check()
  await bedrooms.getByLabel('2').check()
  await expect(curl(page)).toContainText('"bedrooms":[2,4]')
})

test('a failure of the provider shows its charge and its receipt', async ({ page, watch }) => {
  await openAccount(page)
  watch.allow(/502/)
  await page.goto('/catalog/crypto_get_prices')
  await field(page, 'coinIds').fill('sandbox-500')
  await run(page).click()
  await expect(alert(page)).toContainText('3 credits were charged.')
  await page.getByRole('link', { name: 'Receipt' }).click()
  await expect(page.getByRole('dialog', { name: 'crypto_get_prices' })).toContainText('Failed')
})

test('without enough credits nothing runs', async ({ fresh: page, watch }) => {
  watch.allow(/402/)
  await page.goto('/catalog/marketplace_run_actor')
  await field(page, 'maxCostUsd').fill('25')
  await expect(page.getByTestId('price')).toContainText('Your balance has')
  await expect(page.getByTestId('price').getByRole('link')).toHaveAttribute('href', '/credits')
  await run(page).click()
  await confirm(page).click()
  await expect(alert(page)).toContainText(/^Not enough credits: .* Nothing was charged\. See your credits$/)
})

test('a stopped run says what it was charged', async ({ page }) => {
  await openAccount(page)
  await page.goto('/catalog/web_search')
  await field(page, 'query').fill('sandbox:slow')
  await run(page).click()
  await expect(page.getByTestId('seconds')).toHaveText('3 s')
  await page.getByRole('button', { name: 'Stop' }).click()
  // The simulated provider responds after five seconds; the page is polling for the receipt by
  // then.
  await expect(page.getByRole('main').getByText('Stopped. 1 credit was charged.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Receipt' })).toBeVisible()

  await run(page).click()
  await expect(page.getByTestId('seconds')).toBeVisible()
  await page.waitForTimeout(300)
  await field(page, 'query').press('Escape')
  // A slow page is still looking when the provider answers.
  const stopped = /^Stopped\. (.* its charge appears in Usage|1 credit was charged)\.$/
  await expect(page.getByRole('main').getByText(stopped)).toBeVisible()
  await expect(run(page)).toBeEnabled()
})

test('images and videos are shown, and a long result is collapsed', async ({ page }) => {
  await openAccount(page)
  await page.goto('/catalog/image_generate')
  await run(page).click()
  await expect(charge(page)).toContainText('credits')
  const image = page.getByRole('img', { name: 'The result' })
  await expect(image).toBeVisible()
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)

  await page.goto('/catalog/video_generate')
  await expect(page.getByTestId('price')).toContainText('resolution: 480p becomes 720p')
  await run(page).click()
  await expect(confirm(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(run(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(confirm(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(charge(page)).toContainText('credits', { timeout: 20_000 })
  await expect(page.getByLabel('The result', { exact: true })).toHaveAttribute('src', /^\/files\/\w+\.mp4$/)

  await page.goto('/catalog/crypto_get_market_data')
  await run(page).click()
  await expect(charge(page)).toContainText('5 credits')
  await page.getByRole('button', { name: /^Show all \d+ columns$/ }).click()
  await expect(rows(page).getByRole('columnheader', { name: 'allTimeLow', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Show fewer columns' }).click()
  await openJson(page)
  await expect(result(page)).not.toContainText('"nextCursor"')
  await page.getByRole('button', { name: /^Show all [\d\s]+ characters$/ }).click()
  await expect(result(page)).toContainText('"nextCursor"')
  await page.getByRole('button', { name: 'Show the beginning' }).click()
  await expect(result(page)).not.toContainText('"nextCursor"')
})

test('a page that was read is shown as text, beside what is known of it', async ({ fresh: page }) => {
  await page.goto('/catalog/web_read_url')
  await run(page).click()
  await expect(charge(page)).toContainText('1 credit')
  await expect(page.getByRole('region', { name: 'Text' }).getByRole('listitem').first()).toBeVisible()
  await expect(page.getByRole('tabpanel').getByRole('definition').filter({ hasText: 'text/html' })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(page.viewportSize()?.width)
})

test('an unknown tool is not found', async ({ fresh: page, watch }) => {
  watch.allow(/404/)
  for (const path of ['/catalog/no_such', '/catalog/__proto__', '/catalog/web_search%2F']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not found')
  }
})

test('when the service cannot be reached, the page says that the charge is unknown', async ({ fresh: page, watch }) => {
  watch.allow(/tools\.run/)
  await page.goto('/catalog/web_search')
  await page.route('**/api/trpc/tools.run*', (route) => route.abort('connectionreset'))
  await run(page).click()
  await expect(alert(page)).toContainText('appears in Usage')
  await page.getByRole('link', { name: 'Open Usage' }).click()
  await expect(page).toHaveURL('/usage')
})

test('the catalog is accessible in both themes, and on a phone', async ({ page, watch }) => {
  await openAccount(page)
  watch.allow(/502/)
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  for (const size of [
    { width: 1440, height: 900 },
    { width: 320, height: 700 },
  ]) {
    await page.setViewportSize(size)
    await page.goto('/catalog')
    expect([await auditBothThemes(page), await width()]).toEqual([[], size.width])
    await page.getByRole('button', { name: 'Property search' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await auditBothThemes(page)).toEqual([])
    for (const path of ['/catalog/property_search', '/catalog/web_screenshot', '/catalog/image_analyze']) {
      await page.goto(path)
      const more = page.getByText('More parameters')
      if (await more.isVisible()) await more.click()
      expect([path, await auditBothThemes(page), await width()]).toEqual([path, [], size.width])
    }
    await page.goto('/catalog/crypto_get_prices')
    await run(page).click()
    await expect(charge(page)).toBeVisible()
    expect([await auditBothThemes(page), await width()]).toEqual([[], size.width])
    await field(page, 'coinIds').fill('sandbox-500')
    await run(page).click()
    await expect(alert(page)).toBeVisible()
    await field(page, 'coinIds').fill('')
    await run(page).click()
    await expect(field(page, 'coinIds')).toHaveAccessibleDescription('Required')
    expect([await auditBothThemes(page), await width()]).toEqual([[], size.width])
  }
})

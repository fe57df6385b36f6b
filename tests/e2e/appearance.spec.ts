import type { Page, Request } from '@playwright/test'
import { auditBothThemes } from './audit'
import { expect, test } from './fixtures'
import { startApplication } from './oauth'
import { pagesOf } from './routes'

const PUBLIC = pagesOf('(public)')
/** The pages of operators are those of another test. */
const INSIDE = [
  ...pagesOf('(dashboard)').filter((path) => !path.startsWith('/operators')),
  '/overview?by=key',
  '/usage?status=failed',
  '/connect?client=ai-sdk',
]

async function keyPath(page: Page): Promise<string> {
  await page.goto('/keys')
  const href = await page.getByRole('link', { name: 'nightly research' }).getAttribute('href')
  return href ?? ''
}

/** Opens a page and waits for its heading, which replaces the skeleton. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Bytes of script over the network, without headers, for a page with an empty cache. */
async function scriptBytes(page: Page, path: string): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.clearBrowserCache')
  const requests: Request[] = []
  const collect = (request: Request) => request.resourceType() === 'script' && requests.push(request)
  page.on('request', collect)
  await page.goto(path, { waitUntil: 'networkidle' })
  page.off('request', collect)
  await session.detach()
  const sizes = await Promise.all(requests.map((request) => request.sizes()))
  return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
}

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

/** The problems of the current page: accessibility in both themes, and horizontal overflow. */
async function problemsOf(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const size of [PHONE, DESKTOP]) {
    await page.setViewportSize(size)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    if (width > size.width) found.push(`overflows: ${width} of ${size.width} px`)
  }
  return [...found, ...(await auditBothThemes(page))]
}

test('pages are accessible in both themes and do not overflow', async ({ page, busyCookie, context }) => {
  for (const path of PUBLIC) {
    await open(page, path)
    expect(await problemsOf(page), path).toEqual([])
  }
  await context.addCookies([busyCookie])
  const application = await startApplication('An application')
  for (const path of [...INSIDE, await keyPath(page), application.authorizePath]) {
    await open(page, path)
    expect(await problemsOf(page), path).toEqual([])
  }
  await application.stop()
  await page.goto('/usage')
  await page.getByRole('button', { name: 'web_search' }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await problemsOf(page), 'receipt').toEqual([])
})

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

test('the first load of a page has less than 200 kB of script, of landing page and documentation 60 kB', async ({
  busy: page,
}) => {
  const key = await keyPath(page)
  const sizes: Record<string, number> = {}
  const application = await startApplication('An application')
  for (const path of [...INSIDE, key, application.authorizePath]) sizes[path] = await scriptBytes(page, path)
  await application.stop()
  await page.context().clearCookies()
  for (const path of PUBLIC) sizes[path] = await scriptBytes(page, path)
  const limitOf = (path: string) => (path === '/' || path.startsWith('/docs') ? 60_000 : 200_000)
  const heavy = Object.entries(sizes).filter(([path, bytes]) => bytes < 5_000 || bytes >= limitOf(path))
  expect(heavy, JSON.stringify(sizes)).toEqual([])
})

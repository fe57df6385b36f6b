import { randomUUID } from 'node:crypto'
import AxeBuilder from '@axe-core/playwright'
import type { Page, Request } from '@playwright/test'
import { E2E_URL } from './address'
import { auditBothThemes } from './audit'
import { callToolWithKey, createKeyOf, expect, openOperator, SEARCH_PARAMS, test } from './fixtures'
import { startApplication } from './oauth'
import { pagesOf } from './routes'

const DASHBOARD = pagesOf('(dashboard)')
const PUBLIC = pagesOf('(public)')

/** Pages by area: each area is a test of its own, and they run beside each other. */
const isOf = (pattern: RegExp) => (path: string) => pattern.test(path)
const AREA_PATHS = {
  'keys and jobs': /^\/(overview|keys|jobs)/,
  'money and tools': /^\/(usage|budgets|credits|catalog)/,
  settings: /^\/settings/,
  operators: /^\/operators/,
}
const isInArea = (path: string) => Object.values(AREA_PATHS).some((pattern) => pattern.test(path))
const AREAS = {
  ...Object.fromEntries(Object.entries(AREA_PATHS).map(([area, of]) => [area, DASHBOARD.filter(isOf(of))])),
  'what an address chooses': ['/usage?status=failed', '/overview?by=key', '/connect?client=ai-sdk'],
  'all else': DASHBOARD.filter((path) => !isInArea(path)),
  documentation: PUBLIC.filter(isOf(/^\/docs/)),
}

const VISITED = PUBLIC.filter((path) => !path.startsWith('/docs'))

/** 400 % zoom of a desktop window, and the narrowest phones. */
const NARROW = { width: 320, height: 640 }
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

/** Rules of axe whose outcome a theme changes: the others are asked in one. */
const OF_THEMES = ['color-contrast', 'link-in-text-block']

/** What axe finds on the current page. */
async function axeFindings(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  // Without frames there is nothing to put together, for which it would open a page each time.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  const { violations } = await (colorScheme === 'light' ? axe : axe.withRules(OF_THEMES)).analyze()
  return violations.map(
    ({ id, impact, nodes }) =>
      `${colorScheme}: ${impact} ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  )
}

/** What axe finds on what is shown, in both themes, and where it scrolls sideways. */
async function findings(page: Page): Promise<string[]> {
  const found = [...(await axeFindings(page, 'light')), ...(await axeFindings(page, 'dark'))]
  for (const size of [NARROW, PHONE, DESKTOP]) {
    await page.setViewportSize(size)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    if (width > size.width) found.push(`scrolls sideways: ${width} of ${size.width} px`)
  }
  return found
}

/** Bytes of script that a first load may take: of landing page and documentation, and of others. */
const PUBLIC_BYTES = 60_000
const DASHBOARD_BYTES = 200_000

const limitOf = (path: string) => (path === '/' || path.startsWith('/docs') ? PUBLIC_BYTES : DASHBOARD_BYTES)

/** The scripts that a page asks for from now on. */
function collectScripts(page: Page) {
  const requests: Request[] = []
  const collect = (request: Request) => request.resourceType() === 'script' && requests.push(request)
  page.on('request', collect)
  return {
    /** Their bytes over the network, without headers. */
    bytes: async () => {
      page.off('request', collect)
      const sizes = await Promise.all(requests.map((request) => request.sizes()))
      return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
    },
  }
}

async function emptyCache(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.clearBrowserCache')
  await session.detach()
}

/** Starts a run that needs no worker to be looked at: its goal is long. */
async function startRun(key: string): Promise<string> {
  const goal = Array.from({ length: 40 }, (_, at) => `Line ${at} of what to do.`).join('\n')
  const response = await fetch(`${E2E_URL}/api/v1/agent`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      goal: `${goal} [[sandbox {"turns":[{"text":"Done.","toolCalls":[{"name":"web_search","arguments":{"query":"tolls"}}]},{"text":"## Result\\n\\nAll done."}]}]]`,
      idempotencyKey: randomUUID(),
    }),
  })
  expect(response.status).toBe(202)
  return String(((await response.json()) as { jobId: string }).jobId)
}

/** Makes a schedule that is not due while anybody looks. Returns its id. */
async function makeSchedule(key: string): Promise<string> {
  const response = await fetch(`${E2E_URL}/api/v1/agent/schedules`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ cron: '0 9 1 1 *', timeZone: 'UTC', goal: 'Report the tolls of the year.' }),
  })
  expect(response.status).toBe(201)
  return String(((await response.json()) as { scheduleId: string }).scheduleId)
}

/** Looks at pages and states, and fails with all that was found. */
function collectFindings(page: Page) {
  const found: Record<string, string[]> = {}
  const add = (name: string, what: readonly string[]) => {
    if (what.length > 0) found[name] = [...(found[name] ?? []), ...what]
  }
  const look = async (name: string) => add(name, await findings(page))
  const audit = async (name: string) => add(name, await auditBothThemes(page))
  const visit = async (path: string) => {
    await emptyCache(page)
    const scripts = collectScripts(page)
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await look(path)
    await audit(path)
    const bytes = await scripts.bytes()
    if (bytes < 5_000 || bytes >= limitOf(path)) add(path, [`loads ${bytes} bytes of script`])
  }
  return { look, audit, visit, check: () => expect(found).toEqual({}) }
}

/** An operator with a key that was used. */
async function openUsedAccount(page: Page): Promise<string> {
  await openOperator(page)
  await page.setViewportSize(DESKTOP)
  const key = await createKeyOf(page, { name: 'nightly research', agent: true, budget: 500 })
  await callToolWithKey(key, 'web_search', SEARCH_PARAMS)
  return key
}

for (const [area, paths] of Object.entries(AREAS)) {
  test(`axe finds nothing on the pages about ${area}, nothing is lost on any screen, little script is loaded`, async ({
    page,
  }) => {
    const { visit, check } = collectFindings(page)
    await openUsedAccount(page)
    for (const path of paths) await visit(path)
    check()
  })
}

test('axe finds nothing on the pages of visitors, nothing is lost on any screen, little script is loaded', async ({
  page,
}) => {
  const { visit, check } = collectFindings(page)
  for (const path of VISITED) await visit(path)
  check()
})

test('axe finds nothing on the page on which an owner lets an application in', async ({ busy: page }) => {
  const { visit, check } = collectFindings(page)
  const application = await startApplication('An application')
  await visit(application.authorizePath)
  await application.stop()
  check()
})

test('axe finds nothing on a key, a budget, a job, a receipt, the shortcuts and the search', async ({ page }) => {
  const { look, audit, visit, check } = collectFindings(page)
  const jobId = await startRun(await openUsedAccount(page))
  await page.goto('/keys')
  const keyPath = await page.getByRole('link', { name: 'nightly research' }).getAttribute('href')
  for (const path of [`${keyPath}`, `${keyPath}/edit`]) await visit(path)
  await page.goto('/budgets/new')
  await page.getByLabel('Name', { exact: true }).fill('Each customer')
  await page.getByLabel('Credits', { exact: true }).fill('1000')
  await page.getByLabel('Each by itself').check()
  await page.getByRole('button', { name: 'Create budget' }).click()
  await expect(page.getByRole('heading', { name: 'Each customer' })).toBeVisible()
  const budgetPath = new URL(page.url()).pathname
  for (const path of [budgetPath, `${budgetPath}/edit`, '/budgets']) await visit(path)
  await page.goto(`/jobs/${jobId}`)
  await expect(page.getByRole('status', { name: 'Status of the job' })).toContainText('Completed')
  await look('a job')
  await page.goto('/usage')
  await page.getByRole('button', { name: 'web_search' }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await look('a receipt')
  await audit('a receipt')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await look('the shortcuts')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: /^Search/ }).fill('night')
  await expect(page.getByRole('group', { name: 'Keys' }).getByRole('option')).toHaveText(['nightly research'])
  await look('the search')
  check()
})

test('axe finds nothing on schedules, and on what operators see of an owner, a request and a run', async ({ page }) => {
  const { look, visit, check } = collectFindings(page)
  const key = await openUsedAccount(page)
  const jobId = await startRun(key)
  const schedule = `/jobs/schedules/${await makeSchedule(key)}`
  for (const path of [schedule, `${schedule}/edit`, `/operators/runs/${jobId}`]) await visit(path)
  await page.getByRole('link', { name: /@/ }).first().click()
  await page.waitForURL('**/operators/owners/*')
  await page.getByRole('button', { name: 'Grant credits' }).click()
  await page
    .getByRole('button', { name: /^Change/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Change limits' }).click()
  await look('an owner, with open forms')
  await page.getByRole('region', { name: 'Requests' }).getByRole('link').first().click()
  await page.waitForURL('**/operators/requests/*')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await look('a request')
  check()
})

test('the search opens what it finds by keyboard alone, and letters go to pages', async ({ busy: page }) => {
  await page.goto('/overview')
  await page.keyboard.press('ControlOrMeta+k')
  const field = page.getByRole('combobox', { name: /^Search/ })
  await expect(field).toBeFocused()
  await page.keyboard.type('nightly')
  await expect(page.getByRole('option', { name: 'nightly research' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('nightly research')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveText(['nightly research'])
  await page.keyboard.press('Escape')
  await expect(field).toBeHidden()
  for (const other of ['k', 'Control+Alt+k', 'Control+Meta+k']) await page.keyboard.press(other)
  await expect(field).toBeHidden()
  await page.goto('/keys/new')
  for (const open of ['Meta+k', 'Control+k']) {
    await page.getByLabel('Name', { exact: true }).focus()
    await page.keyboard.press(open)
    await expect(field).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(field).toBeHidden()
  }
  await page.goto('/overview')
  await page.keyboard.press('g')
  await page.keyboard.press('u')
  await expect(page).toHaveURL(/\/usage$/)
})

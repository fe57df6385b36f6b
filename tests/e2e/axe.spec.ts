import { randomUUID } from 'node:crypto'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { E2E_URL } from './address'
import { callToolWithKey, createKeyOf, expect, openOperator, SEARCH_PARAMS, test } from './fixtures'
import { pagesOf } from './routes'

const DASHBOARD = pagesOf('(dashboard)')
const PUBLIC = pagesOf('(public)')

/** Pages by area: each area is a test of its own, and they run beside each other. */
const isOf = (pattern: RegExp) => (path: string) => pattern.test(path)
const AREA_PATHS = {
  'keys and jobs': /^\/(overview|keys|jobs)/,
  'money and tools': /^\/(usage|credits|catalog)/,
  settings: /^\/settings/,
  operators: /^\/operators/,
}
const isInArea = (path: string) => Object.values(AREA_PATHS).some((pattern) => pattern.test(path))
const AREAS = {
  ...Object.fromEntries(Object.entries(AREA_PATHS).map(([area, of]) => [area, DASHBOARD.filter(isOf(of))])),
  'calls that failed': ['/usage?status=failed'],
  'all else': DASHBOARD.filter((path) => !isInArea(path)),
  documentation: PUBLIC.filter(isOf(/^\/docs/)),
}

const VISITED = PUBLIC.filter((path) => !path.startsWith('/docs'))

/** 400 % zoom of a desktop window, and the narrowest phones. */
const NARROW = { width: 320, height: 640 }
const DESKTOP = { width: 1280, height: 800 }

/** What axe finds on the current page in both themes, and whether it scrolls sideways at 320 px. */
async function findings(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await new AxeBuilder({ page }).analyze()
    for (const { id, impact, nodes } of violations) {
      found.push(`${colorScheme}: ${impact} ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
    }
  }
  await page.setViewportSize(NARROW)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  if (width > NARROW.width) found.push(`scrolls sideways: ${width} of ${NARROW.width} px`)
  await page.setViewportSize(DESKTOP)
  return found
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
  const look = async (name: string) => {
    const here = await findings(page)
    if (here.length > 0) found[name] = here
  }
  const visit = async (path: string) => {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await look(path)
  }
  return { look, visit, check: () => expect(found).toEqual({}) }
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
  test(`axe finds nothing on the pages about ${area}, and nothing is lost at 320 px`, async ({ page }) => {
    const { visit, check } = collectFindings(page)
    await openUsedAccount(page)
    for (const path of paths) await visit(path)
    check()
  })
}

test('axe finds nothing on the pages of visitors, and nothing is lost at 320 px', async ({ page }) => {
  const { visit, check } = collectFindings(page)
  for (const path of VISITED) await visit(path)
  check()
})

test('axe finds nothing on a key, a job, a receipt, the shortcuts and the search', async ({ page }) => {
  const { look, visit, check } = collectFindings(page)
  const jobId = await startRun(await openUsedAccount(page))
  await page.goto('/keys')
  const keyPath = await page.getByRole('link', { name: 'nightly research' }).getAttribute('href')
  for (const path of [`${keyPath}`, `${keyPath}/edit`]) await visit(path)
  await page.goto(`/jobs/${jobId}`)
  await expect(page.getByRole('status', { name: 'Status of the job' })).toContainText('Completed')
  await look('a job')
  await page.goto('/usage')
  await page.getByRole('button', { name: 'web_search' }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await look('a receipt')
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
  await page.keyboard.press('g')
  await page.keyboard.press('u')
  await expect(page).toHaveURL(/\/usage$/)
})

import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { E2E_URL } from './address'
import { auditBothThemes } from './audit'
import { createKeyOf, expect, openAccount, test } from './fixtures'

const slug = `sales-${randomUUID().slice(0, 8)}`
const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: args }] })
const script = (...turns: object[]) => `[[sandbox ${JSON.stringify({ turns })}]]`
const CSV = 'month,revenue\nJanuary,120\nFebruary,95\nMarch,180\n'

/** A chart and a page of what was attached, as a model writes such a program. */
const PROGRAM = `python3 - <<'EOF'
import csv, os
rows = list(csv.DictReader(open('/home/user/uploads/sales.csv')))
bars = ''.join(f'<rect x="{i * 60}" y="{200 - int(r["revenue"])}" width="40" height="{r["revenue"]}"/>' for i, r in enumerate(rows))
os.makedirs('site', exist_ok=True)
svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200">{bars}</svg>'
open('chart.svg', 'w').write(svg)
open('site/chart.svg', 'w').write(svg)
total = sum(int(r['revenue']) for r in rows)
open('site/index.html', 'w').write(f'<!doctype html><title>Sales</title><h1>Saels</h1><p>Total: {total}</p><img src="chart.svg" alt="Sales by month">')
print(total)
EOF`

/** Looks at the page in both themes, also at the width of a phone. */
async function look(page: Page, name: string): Promise<void> {
  const shots = process.env.WALK_SHOTS
  for (const width of [390, 1_280]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await auditBothThemes(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    if (shots) await page.screenshot({ path: `${shots}/${name}-${width}.png`, fullPage: true })
  }
}

const resultOf = (page: Page, turn: number) => page.getByRole('region', { name: `Result of turn ${turn}` })

async function goOn(page: Page, goal: string): Promise<void> {
  await page.getByLabel('What next?').fill(goal)
  await page.getByRole('button', { name: /^Continue/ }).click()
}

test('a new owner has a file charted on a page, corrects it, approves, shares it and takes it down', async ({
  page,
  browser,
  watch,
}) => {
  test.setTimeout(180_000)
  // What is taken down, and an image that the page of an approval would lose.
  watch.allow(/404|ERR_BLOCKED_BY_ORB/)
  await openAccount(page)
  await createKeyOf(page, { name: 'runs', agent: true })
  await page.goto('/jobs/new')
  const folder = { slug, folder: 'site' }
  const first = script(call('pod_run', { command: PROGRAM }), call('site_publish', { ...folder, preview: true }), {
    text: 'The chart is ~/chart.svg, and the page is at its preview. 395 in all.',
  })
  await page.getByLabel('Goal').fill(`Chart these sales on a page. ${first}`)
  await page
    .getByLabel('Attachments')
    .setInputFiles({ name: 'sales.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) })
  await page.getByRole('button', { name: /^Start run/ }).click()
  const confirm = page.getByRole('alertdialog').getByRole('button', { name: /^Start run/ })
  await confirm.click({ timeout: 5_000 }).catch(() => {})
  await expect(page).toHaveURL(/\/jobs\/[0-9a-f-]{36}$/)
  await expect(resultOf(page, 1)).toContainText('395 in all')
  const artifacts = page.getByRole('region', { name: 'Artifacts' })
  await expect(artifacts).toContainText('chart.svg')
  await page.getByRole('button', { name: /^\d+ steps/ }).click()
  await look(page, '1-result')

  const [preview] = await Promise.all([
    page.context().waitForEvent('page'),
    artifacts.getByRole('link', { name: `Open ${slug}` }).click(),
  ])
  await expect(preview.getByRole('heading', { name: 'Saels' })).toBeVisible()
  expect((await fetch(`${E2E_URL}/sites/${slug}/`)).status).toBe(404)
  await preview.close()

  const publish = call('site_publish', { ...folder })
  const fixed = call('pod_run', { command: 'sed -i s/Saels/Sales/ site/index.html' })
  await goOn(page, `“Saels” is “Sales”; make it public. ${script(fixed, publish, { text: 'It is public.' })}`)
  const asked = page.getByRole('region', { name: 'The agent needs your approval' })
  await expect(asked.or(resultOf(page, 2))).toBeVisible()
  await look(page, '2-first-public')
  if (await asked.isVisible()) await asked.getByRole('button', { name: 'Approve' }).click()
  await expect(resultOf(page, 2)).toContainText('It is public.')

  const edits = [{ path: 'index.html', find: 'Total: 395', replace: 'Total of the quarter: 395' }]
  const change = call('site_publish', { slug, keep: true, edits, remove: ['chart.svg'] })
  await goOn(page, `Say that it is of the quarter. ${script(change, { text: 'Changed.' })}`)
  await expect(asked).toContainText('chart.svg')
  await asked.getByText('See the page before and after').click()
  const shown = (what: string) => page.frameLocator(`iframe[title="The page: ${what}"]`)
  await expect(shown('Now').getByText('Total: 395')).toBeVisible()
  await expect(shown('After your approval').getByText('Total of the quarter: 395')).toBeVisible()
  await look(page, '3-approval')
  await asked.getByRole('button', { name: 'Approve' }).click()
  await expect(resultOf(page, 3)).toContainText('Changed.')
  expect(await (await fetch(`${E2E_URL}/sites/${slug}/`)).text()).toContain('Total of the quarter: 395')

  await page.getByRole('button', { name: 'Share result' }).click()
  await page.getByRole('button', { name: 'Make link' }).click()
  const link = page.getByRole('region', { name: 'Share the result' }).getByText('/shared/')
  const shared = await (await browser.newContext()).newPage()
  await shared.goto(`${E2E_URL}${new URL(String(await link.textContent())).pathname}`)
  await expect(shared.getByText('Changed.')).toBeVisible()
  await look(shared, '4-shared')
  await shared.context().close()

  await page.getByRole('link', { name: 'Library', exact: true }).click()
  await expect(page.getByRole('row').filter({ hasText: 'chart.svg' })).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'sales.csv' })).toBeVisible()
  await expect(page.getByText(/ of 20 GB/)).toBeVisible()
  await look(page, '5-library')
  await page.getByRole('button', { name: 'Delete chart.svg' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete a file' })
  await look(page, '6-delete')
  await dialog.getByRole('button', { name: 'Delete file' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'chart.svg' })).toHaveCount(0)
  await page.getByRole('link', { name: slug, exact: true }).click()
  await expect(page.getByRole('heading', { name: slug })).toBeVisible()
  await look(page, '7-site')
  await page.getByRole('button', { name: 'Take down' }).click()
  await page.getByRole('button', { name: 'Take down' }).click()
  await expect(page.getByText('Taken down')).toBeVisible()
  expect((await fetch(`${E2E_URL}/sites/${slug}/`)).status).toBe(404)
})

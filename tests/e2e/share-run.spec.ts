import { randomUUID } from 'node:crypto'
import { E2E_URL } from './address'
import { auditBothThemes } from './audit'
import { createKeyOf, expect, openAccount, test } from './fixtures'

test('a completed run is shared by a link, which shows what was chosen and ends when it is withdrawn', async ({
  page,
  browser,
  watch,
}) => {
  watch.allow(/404/)
  await openAccount(page)
  const key = await createKeyOf(page, { name: 'maker', agent: true })
  const turns = [
    { toolCalls: [{ name: 'dataset_create', arguments: { name: 'mine', rows: [{ note: 'private' }] } }] },
    { text: '## Report\n\nIt is **ready**.' },
  ]
  const started = await fetch(`${E2E_URL}/api/v1/agent`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      goal: `Write the report. [[sandbox ${JSON.stringify({ turns })}]]`,
      idempotencyKey: randomUUID(),
      wait: true,
    }),
  })
  const { jobId } = (await started.json()) as { jobId: string }
  await page.goto(`/jobs/${jobId}`)
  await page.getByRole('button', { name: 'Share result' }).click()
  await page.getByLabel('Show what it cost').check()
  await page.getByRole('button', { name: 'Make link' }).click()
  const link = page.getByRole('region', { name: 'Share the result' }).getByText('/shared/')
  await expect(link).toBeVisible()
  const { pathname } = new URL(String(await link.textContent()))

  const visitor = await (await browser.newContext()).newPage()
  await visitor.goto(`${E2E_URL}${pathname}`)
  await expect(visitor.getByRole('heading', { name: 'Report' })).toBeVisible()
  await visitor.getByText('How it was made').click()
  await expect(visitor.getByText('dataset_create')).toBeVisible()
  await expect(visitor.getByText(/\d+ credits/)).toBeVisible()
  await expect(visitor.getByText('Write the report.')).toHaveCount(0)
  expect(await visitor.content()).not.toContain('private')
  await expect(visitor.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex, nofollow')
  for (const width of [1_280, 390]) {
    await visitor.setViewportSize({ width, height: 844 })
    expect(await auditBothThemes(visitor)).toEqual([])
    expect(await visitor.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    const shots = process.env.SHARE_SHOTS
    if (shots) await visitor.screenshot({ path: `${shots}/shared-${width}.png` })
  }

  expect(await auditBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Withdraw link' }).click()
  await expect(page.getByRole('button', { name: 'Make link' })).toBeVisible()
  expect((await visitor.goto(`${E2E_URL}${pathname}`))?.status()).toBe(404)
  await visitor.context().close()
})

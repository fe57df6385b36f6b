import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { E2E_URL } from './address'
import { createKeyOf, expect, openAccount, openWithoutScripts, test } from './fixtures'

const heightOf = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight)

test('a chart and a form far below are drawn when one comes near, and nothing moves', async ({ page }) => {
  await openAccount(page)
  const key = await createKeyOf(page, { name: 'charter', agent: true })
  const chart = JSON.stringify({
    type: 'line',
    title: 'Depths',
    unit: 'm',
    rows: [
      ['2024', 12],
      ['2025', 14],
    ],
  })
  const long = Array.from({ length: 60 }, (_, i) => `Harbour ${i} is deep.`).join('\n\n')
  const text = `${long}\n\n\`\`\`chart\n${chart}\n\`\`\``
  const started = await fetch(`${E2E_URL}/api/v1/agent`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      goal: `How deep are they? [[sandbox ${JSON.stringify({ text })}]]`,
      idempotencyKey: randomUUID(),
      wait: true,
    }),
  })
  const { jobId } = (await started.json()) as { jobId: string }
  await page.goto(`/jobs/${jobId}`)
  await expect(page.getByText('Harbour 59 is deep.', { exact: true })).toBeAttached()
  await expect(page.getByTestId('not-yet-seen')).toHaveCount(2)
  await expect(page.getByRole('figure', { name: 'Depths' })).toHaveCount(0)
  const before = await heightOf(page)
  await page.getByTestId('not-yet-seen').first().scrollIntoViewIfNeeded()
  await expect(page.getByRole('figure', { name: 'Depths' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'What next?' })).toBeAttached()
  expect(Math.abs((await heightOf(page)) - before)).toBeLessThan(60)

  await page.goto('about:blank')
  await page.goto(`/jobs/${jobId}`)
  await expect(page.getByTestId('not-yet-seen')).toHaveCount(2)
  await page.keyboard.press('Control')
  await expect(page.getByRole('figure', { name: 'Depths' })).toBeAttached()
  await expect(page.getByTestId('not-yet-seen')).toHaveCount(0)

  // Before the page has its code, too.
  const release = await openWithoutScripts(page, `/jobs/${jobId}`)
  await expect(page.getByTestId('not-yet-seen')).toHaveCount(2)
  await page.keyboard.press('Control')
  release()
  await expect(page.getByRole('figure', { name: 'Depths' })).toBeAttached()
  await expect(page.getByTestId('not-yet-seen')).toHaveCount(0)
})

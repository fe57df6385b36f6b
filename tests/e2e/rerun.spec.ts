import { randomUUID } from 'node:crypto'
import { E2E_URL } from './address'
import { auditBothThemes } from './audit'
import { createKeyOf, expect, openAccount, test } from './fixtures'

test('a run runs again from one of its steps, and both are compared', async ({ page }) => {
  await openAccount(page)
  const key = await createKeyOf(page, { name: 'repeater', agent: true })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const call = { toolCalls: [{ name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } }] }
  const goal = (text: string) => `What is it? [[sandbox ${JSON.stringify({ turns: [call, { text }] })}]]`
  const started = await fetch(`${E2E_URL}/api/v1/agent`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ goal: goal('First.'), idempotencyKey: randomUUID(), wait: true }),
  })
  const { jobId } = (await started.json()) as { jobId: string }
  await page.goto(`/jobs/${jobId}`)
  await page.getByRole('button', { name: /^3 steps/ }).click()
  await page.getByRole('button', { name: /First\./ }).click()
  await page.getByRole('link', { name: 'Run again from here' }).click()
  await expect(page.getByRole('heading', { name: 'Run again from step 2' })).toBeVisible()
  await expect(page.getByText('not paid again')).toBeVisible()
  await expect(page.getByLabel('Goal')).toHaveValue(goal('First.'))
  for (const width of [1_440, 390, 320]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await auditBothThemes(page)).toEqual([])
  }
  await page.setViewportSize({ width: 1_280, height: 900 })
  await page.getByLabel('Goal').fill(goal('Second.'))
  await page.getByRole('button', { name: /^Start run/ }).click()
  await expect(page.getByRole('region', { name: 'Run 2' })).toContainText('Second.')
  await expect(page.getByRole('row').filter({ hasText: 'Run 2' })).toContainText('Completed')
  await page.getByRole('link', { name: 'Run 2', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Another run, from step 2' })).toHaveAttribute('href', `/jobs/${jobId}`)
  await page.getByRole('link', { name: 'Compare', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Run 1' })).toContainText('First.')
  await expect(page.getByRole('region', { name: 'Run 2' })).toContainText('Second.')
})

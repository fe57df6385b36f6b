import { randomUUID } from 'node:crypto'
import { E2E_ACCOUNTS_PORT, E2E_URL } from './address'
import { auditBothThemes } from './audit'
import { createKeyOf, expect, openAccount, test } from './fixtures'

test('the page of a job shows what its callback URL was sent, and sends it again', async ({ page }) => {
  await openAccount(page)
  const key = await createKeyOf(page, { name: 'caller', agent: true })
  const response = await fetch(`${E2E_URL}/api/v1/agent`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      goal: 'Say hello.',
      idempotencyKey: randomUUID(),
      callbackUrl: `${E2E_URL}/api/v1/nothing`,
    }),
  })
  expect(response.status).toBe(202)
  const { jobId } = (await response.json()) as { jobId: string }
  await page.goto(`/jobs/${jobId}`)
  const deliveries = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Webhook deliveries' }) })
  await expect(deliveries).toContainText('Run completed')
  await expect(deliveries).toContainText(/The receiver answered 40\d\. 1 attempt so far\. Next attempt/)
  await deliveries.getByRole('button', { name: 'Send again: Run completed' }).click()
  await expect(deliveries).toContainText('2 attempts so far.')
  for (const width of [1_280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await auditBothThemes(page), String(width)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
  await fetch(`http://127.0.0.1:${E2E_ACCOUNTS_PORT}/undelivered`, { method: 'POST', body: jobId })
  await page.goto('/overview')
  const receiver = new URL(E2E_URL).host
  const failed = page.getByRole('link', { name: `A webhook to ${receiver} failed: Say hello.` })
  await expect(failed).toHaveAttribute('href', `/jobs/${jobId}`)
  expect(await auditBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: `Dismiss failed webhooks to ${receiver}` }).click()
  await expect(failed).toHaveCount(0)
  await page.reload()
  await expect(page.getByText('Nothing needs your attention.')).toBeVisible()
})

test('the signing secret is shown on demand, and rotated with an overlap', async ({ page }) => {
  await openAccount(page)
  await page.goto('/settings/webhooks')
  const webhooks = page.getByRole('main')
  await expect(webhooks.getByText(/whsec_/)).toHaveCount(0)
  await webhooks.getByRole('button', { name: 'Show signing secret' }).click()
  const secret = webhooks.getByText(/^whsec_/)
  const before = await secret.textContent()
  await webhooks.getByRole('button', { name: 'Rotate secret' }).click()
  await webhooks.getByRole('button', { name: 'Rotate secret' }).click()
  await expect(webhooks.getByText('The secret before this one signs too')).toBeVisible()
  await expect(secret).not.toHaveText(String(before))
  for (const width of [1_280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await auditBothThemes(page), String(width)).toEqual([])
  }
})

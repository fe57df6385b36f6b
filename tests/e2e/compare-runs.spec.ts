import { randomUUID } from 'node:crypto'
import { E2E_URL } from './address'
import { auditBothThemes } from './audit'
import { createKeyOf, expect, openAccount, test } from './fixtures'

test('a run is compared with another model, with other words, and with one that is there', async ({ page, watch }) => {
  watch.allow(/404/)
  await openAccount(page)
  const key = await createKeyOf(page, { name: 'comparer', agent: true })
  const goal = (text: string, tools = 0) => {
    const turns = [
      ...Array.from({ length: tools }, () => ({
        toolCalls: [{ name: 'crypto_price', arguments: { ids: 'bitcoin' } }],
      })),
      { text },
    ]
    return `Which harbour is deepest? [[sandbox ${JSON.stringify({ turns })}]]`
  }
  const start = async (text: string, tools?: number) => {
    const response = await fetch(`${E2E_URL}/api/v1/agent`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ goal: goal(text, tools), idempotencyKey: randomUUID(), wait: true }),
    })
    return String(((await response.json()) as { jobId: string }).jobId)
  }
  await page.goto('/jobs/compare')
  await expect(page.getByText('No runs yet')).toBeVisible()

  const first = await start('## Answer\n\nPort **Claro**.')
  const other = await start('## Answer\n\nPort **Alto**, after looking.', 2)
  await page.goto(`/jobs/${first}`)
  await page.getByRole('link', { name: 'Compare', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Run 1' })).toContainText('Port Claro')
  await expect(page.getByLabel('Goal')).toHaveValue(goal('## Answer\n\nPort **Claro**.'))
  await page.getByLabel('Goal').fill(goal('## Answer\n\nPort **Bajo**.'))
  await page.getByLabel('Model').selectOption({ index: 2 })
  await page.getByRole('button', { name: /^Start run/ }).click()
  // This model has no history here: the price is asked about.
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Start run/ })
    .click()
  await expect(page.getByRole('region', { name: 'Run 2' })).toContainText('Port Bajo')
  await expect(page.getByRole('region', { name: 'Runs compared' }).getByText('Completed')).toHaveCount(2)

  await page.getByLabel('A run that is there').selectOption(other)
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  const third = page.getByRole('region', { name: 'Run 3' })
  await expect(third).toContainText('Port Alto')
  await third.getByRole('button', { name: /^5 steps/ }).click()
  await expect(third.getByText('crypto_price').first()).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: 'Run 3' })
  const steps = (await (
    await fetch(`${E2E_URL}/api/v1/agent/${other}/steps`, { headers: { authorization: `Bearer ${key}` } })
  ).json()) as { steps: { creditsCharged: number }[] }
  await expect(row).toContainText(String(steps.steps.reduce((sum, { creditsCharged }) => sum + creditsCharged, 0)))
  for (const width of [1_440, 390, 320]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await auditBothThemes(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    const shots = process.env.COMPARE_SHOTS
    if (!shots) continue
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${shots}/compare-${width}-${colorScheme}.png`, fullPage: true })
    }
  }
  await page.setViewportSize({ width: 1_280, height: 900 })
  await page.getByRole('link', { name: 'Leave out Run 2' }).click()
  await expect(page.getByRole('region', { name: 'Run 2' })).toContainText('Port Alto')

  // Nobody compares with the runs of somebody else.
  await openAccount(page)
  expect((await page.goto(`/jobs/compare?job=${first}`))?.status()).toBe(404)
  expect((await page.goto('/jobs/compare?job=nonsense'))?.status()).toBe(404)
})

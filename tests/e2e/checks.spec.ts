import { E2E_URL } from './address'
import { auditBothThemes } from './audit'
import { createKeyOf, expect, openAccount, test } from './fixtures'

const asJson = (value: unknown) => JSON.stringify(value)

test('a run is checked and judged, its verdicts are compared, and a schedule has scores', async ({ page }) => {
  await openAccount(page)
  const key = await createKeyOf(page, { name: 'checker', agent: true })
  const question = `Does it name a harbour? [[sandbox ${asJson({ text: 'Yes. It names Port Claro.' })}]]`
  await page.goto('/jobs')
  await page.getByRole('link', { name: 'New run' }).click()
  await page.getByLabel('Goal').fill(`Which harbour is deepest? [[sandbox ${asJson({ text: 'Port Claro.' })}]]`)
  await page.getByText('Checks of the result').click()
  await page.getByRole('button', { name: 'Add a check' }).click()
  await page.getByRole('group', { name: 'Check 1' }).getByLabel('Text').fill('Alto')
  await page.getByRole('button', { name: 'Add a check' }).click()
  const second = page.getByRole('group', { name: 'Check 2' })
  await second.getByLabel('Passes where the result').selectOption('judge')
  await expect(second.getByText('Each answer costs credits')).toBeVisible()
  await second.getByLabel('Question').fill(question)
  await expect(page.getByTestId('price').first()).toContainText('the judge included')
  for (const width of [1_440, 390, 320]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await auditBothThemes(page)).toEqual([])
  }
  await page.setViewportSize({ width: 1_280, height: 900 })
  await page.getByRole('button', { name: /^Start run/ }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Start run/ })
    .click()
  await page.waitForURL(/\/jobs\/[0-9a-f-]{36}$/)
  const checks = page.getByRole('region', { name: 'Checks of turn 1' })
  await expect(checks).toContainText('Checks: 1 of 2 passed')
  await expect(checks.getByRole('listitem').nth(0)).toContainText('Failed')
  await expect(checks.getByRole('listitem').nth(1)).toContainText('It names Port Claro.')
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const jobId = page.url().split('/').at(-1)
  const job = (await (await fetch(`${E2E_URL}/api/v1/agent/${jobId}`, { headers })).json()) as {
    creditsSpent: number
    checks: { creditsCharged: number }[]
  }
  await expect(checks).toContainText(`${job.checks[1]?.creditsCharged} credit`)
  for (const width of [1_440, 390, 320]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await auditBothThemes(page)).toEqual([])
  }

  await page.getByRole('link', { name: 'Compare', exact: true }).click()
  const row = page.getByRole('region', { name: 'Runs compared' }).getByRole('row').filter({ hasText: 'Run 1' })
  await expect(row).toContainText('1 of 2 passed')
  await expect(row).toContainText(String(job.creditsSpent))
  await expect(page.getByRole('group', { name: 'Check 2' }).getByLabel('Question')).toHaveValue(question)

  const body = asJson({
    ...{ cron: '0 9 * * *', name: 'Harbours' },
    goal: `Which harbour is deepest? [[sandbox ${asJson({ text: 'Port Claro.' })}]]`,
    checks: [
      { kind: 'contains', text: 'claro' },
      { kind: 'contains', text: 'alto' },
    ],
  })
  const made = (await (await fetch(`${E2E_URL}/api/v1/agent/schedules`, { method: 'POST', headers, body })).json()) as {
    scheduleId: string
  }
  for (const times of [1, 2]) {
    const started = await fetch(`${E2E_URL}/api/v1/agent/schedules/${made.scheduleId}/run`, { method: 'POST', headers })
    const { jobId: run } = (await started.json()) as { jobId: string }
    const read = async () => (await fetch(`${E2E_URL}/api/v1/agent/${run}`, { headers })).json()
    await expect.poll(read, { timeout: 30_000 }).toMatchObject({ status: 'completed' })
    // A schedule's run has ended a moment after its job.
    const runs = async () =>
      (await fetch(`${E2E_URL}/api/v1/agent/schedules/${made.scheduleId}/runs`, { headers })).json()
    await expect
      .poll(runs, { timeout: 30_000 })
      .toMatchObject({ runs: Array.from({ length: times }, () => ({ state: 'completed' })) })
  }
  await page.goto(`/jobs/schedules/${made.scheduleId}`)
  await expect(page.getByRole('figure', { name: 'Checks passed' })).toBeVisible()
  await expect(page.getByRole('figure', { name: 'Cost' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Runs', exact: true }).getByText('1 of 2')).toHaveCount(2)
  for (const width of [1_440, 390, 320]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await auditBothThemes(page)).toEqual([])
  }
  await page.goto(`/jobs/schedules/${made.scheduleId}/edit`)
  await expect(page.getByRole('group', { name: 'Check 2' }).getByLabel('Text')).toHaveValue('alto')
  await page.getByRole('button', { name: 'Remove check 2' }).click()
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await expect(page.getByText('Contains: claro', { exact: true })).toBeVisible()
})

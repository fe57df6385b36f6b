import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { E2E_URL } from './address'
import { auditBothThemes, auditPage } from './audit'
import { createKeyOf, expect, forgetSession, openAccount, test } from './fixtures'

const script = (given: object) => `[[sandbox ${JSON.stringify(given)}]]`

/** Starts a run over the API. */
async function startRun(key: string, goal: string, more: object = {}): Promise<string> {
  const response = await fetch(`${E2E_URL}/api/v1/agent`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ goal, idempotencyKey: randomUUID(), ...more }),
  })
  expect(response.status).toBe(202)
  return String(((await response.json()) as { jobId: string }).jobId)
}

const steps = (page: Page, turn = 1) => page.getByRole('list', { name: `Steps of turn ${turn}` })
const status = (page: Page) => page.getByRole('status', { name: 'Status of the job' })

test('a run started over the API is watched live, approved, and shows its result', async ({ page }) => {
  await openAccount(page)
  const key = await createKeyOf(page, { name: 'runner', agent: true })
  const slug = `tidy-${randomUUID().slice(0, 8)}`
  const publish = (content: string) => ({
    name: 'site_publish',
    arguments: { slug, files: [{ path: 'index.html', content }] },
  })
  const jobId = await startRun(
    key,
    `Tidy up. ${script({
      turns: [
        {
          delayMs: 1_500,
          text: 'I look first.',
          toolCalls: [publish('one')],
        },
        { delayMs: 1_500, toolCalls: [publish('two')] },
        { text: '## Tidy\n\nIt is **all** gone.' },
      ],
    })}`,
  )
  await page.goto(`/jobs/${jobId}`)
  await expect(status(page)).toContainText('Running')
  await expect(page.getByRole('region', { name: 'The agent at work' })).toContainText('credits so far')
  // On a busy machine the next step is there already.
  await expect(
    steps(page)
      .getByRole('button', { name: /^Model/ })
      .first(),
  ).toContainText('I look first.')
  await expect(
    steps(page)
      .getByRole('button', { name: /site_publish/ })
      .first(),
  ).toBeVisible()

  const asked = page.getByRole('region', { name: 'The agent needs your approval' })
  await expect(asked).toContainText(`Replace version 1 of the site ${slug} with version 2`)
  await expect(status(page)).toContainText('Waiting for you')
  expect(await auditPage(page)).toEqual([])
  await page.goto('/overview')
  await page.getByRole('link', { name: /A run waits for your input: Tidy up/ }).click()
  await asked.getByRole('button', { name: 'Approve' }).click()

  await expect(asked).toBeHidden()
  const result = page.getByRole('region', { name: 'Result of turn 1' })
  await expect(result.getByRole('heading', { name: 'Tidy' })).toBeVisible()
  await expect(result.locator('strong')).toHaveText('all')
  await expect(status(page)).toContainText('Completed')
  await expect(steps(page)).toBeHidden()
  await page.getByRole('button', { name: /^5 steps/ }).click()
  await expect(steps(page)).toContainText(/Approved by \S+@\S+ at the dashboard/)
  await steps(page)
    .getByRole('button', { name: /site_publish/ })
    .last()
    .click()
  await expect(steps(page)).toContainText(`sites/${slug}/`)
  await expect(steps(page)).toContainText('Started with key runner over the API')

  await page.getByLabel('What next?').fill(`And now? ${script({ text: 'Nothing more.' })}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('region', { name: 'Result of turn 2' })).toContainText('Nothing more.')
  await page.goto('/jobs')
  await expect(page.getByRole('row', { name: /Tidy up/ })).toContainText('Completed')
})

test('a plan is revised and then approved, a question answered, and a live run cancelled', async ({ page }) => {
  await openAccount(page)
  await createKeyOf(page, { name: 'planner', agent: true })
  await page.goto('/jobs/new')
  const plan = (text: string) => ({ toolCalls: [{ name: 'present_plan', arguments: { plan: text } }] })
  const goal = script({
    turns: [
      plan('1. Buy everything.'),
      plan('1. Look at **prices**.'),
      { toolCalls: [{ name: 'ask_user', arguments: { question: 'Which coin?' } }] },
      { text: 'You said: {{last}}', delayMs: 20_000 },
    ],
  })
  await page.getByLabel('Goal').fill(`Buy. ${goal}`)
  await page.getByLabel('Mode', { exact: true }).selectOption('interactive')
  await page.getByRole('button', { name: 'Start run' }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Start run for up to/ })
    .click()
  await expect(page).toHaveURL(/\/jobs\/[0-9a-f-]{36}$/)

  const shown = page.getByRole('region', { name: 'The agent shows its plan' })
  await expect(shown).toContainText('Buy everything.')
  await shown.getByRole('button', { name: 'Revise plan' }).click()
  await expect(shown).toContainText('Enter your answer')
  await shown.getByLabel('What to change').fill('Only look.')
  await page.reload()
  await expect(shown.getByLabel('What to change')).toHaveValue('Only look.')
  await shown.getByRole('button', { name: 'Revise plan' }).click()
  await expect(shown.locator('strong')).toHaveText('prices')
  await shown.getByRole('button', { name: 'Approve plan' }).click()

  const question = page.getByRole('region', { name: 'The agent has a question' })
  await expect(question).toContainText('Which coin?')
  await question.getByLabel('Your answer').fill('Bitcoin.')
  await question.getByRole('button', { name: 'Answer' }).click()
  await expect(steps(page).getByRole('button', { name: /Question/ })).toContainText('Bitcoin.')

  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('button', { name: 'Cancel run' }).click()
  await expect(status(page)).toContainText('Cancelled')
})

test('a late answer is reported, and another owner’s job is not found', async ({ page, watch }) => {
  await openAccount(page)
  const key = await createKeyOf(page, { name: 'racer', agent: true })
  const goal = `Go. ${script({ turns: [{ toolCalls: [{ name: 'present_plan', arguments: { plan: 'Go.' } }] }, { text: 'Gone.' }] })}`
  const jobId = await startRun(key, goal, { mode: 'interactive' })
  await page.goto(`/jobs/${jobId}`)
  const shown = page.getByRole('region', { name: 'The agent shows its plan' })
  await expect(shown).toBeVisible()
  watch.allow(/409/)
  await page.route('**/api/trpc/jobs.answer*', async (route) => {
    const elsewhere = await fetch(`${E2E_URL}/api/v1/agent/${jobId}/answer`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ approved: true }),
    })
    expect(elsewhere.status).toBe(200)
    await route.continue()
  })
  await shown.getByRole('button', { name: 'Approve plan' }).click()
  await expect(page.getByText('Your answer was too late.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Result of turn 1' })).toContainText('Gone.')

  watch.allow(/404/)
  await forgetSession(page)
  await openAccount(page)
  for (const path of [`/jobs/${jobId}`, `/jobs/${randomUUID()}`, '/jobs/nonsense']) {
    expect((await page.goto(path))?.status(), path).toBe(404)
  }
})

test('a run with a file and a limit stops before more is spent, and goes on once the limit is raised', async ({
  page,
}) => {
  await openAccount(page)
  const key = await createKeyOf(page, { name: 'small', agent: true, agentRunBudgetCredits: 280 })
  await page.goto('/jobs/new')
  await expect(page.getByTestId('price')).toContainText(/about [\d\s]+ to [\d\s]+, by the price of tokens/)
  await page.getByLabel('Goal').fill(`Read the list. ${script({ text: 'It has two rows.' })}`)
  await page
    .getByLabel('Attachments')
    .setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from('a\n1\n2\n') })
  await page.getByLabel('Spend limit of this run').fill('250')
  await page.getByRole('button', { name: /^Start run/ }).click()
  await expect(status(page)).toContainText('Completed')
  await expect(page.getByRole('list', { name: 'Attachments' })).toContainText('rows.csv')
  await expect(page.getByText('Limit of this run', { exact: true })).toBeVisible()
  expect(await auditBothThemes(page)).toEqual([])

  const search = { name: 'microblog_search', arguments: { query: 'tolls', limit: 20, searchType: 'Top' } }
  const jobId = await startRun(key, `Search. ${script({ toolCalls: [search] })}`)
  await page.goto(`/jobs/${jobId}`)
  const stopped = page.getByRole('region', { name: 'What now' })
  await expect(stopped).toContainText('The spend limit of this conversation left too little for another step')
  await expect(page.getByText(/limit was reached/)).toHaveCount(0)
  expect(await auditPage(page)).toEqual([])
  await stopped.getByLabel('New spend limit').fill('1500')
  await stopped.getByRole('button', { name: 'Raise limit' }).click()
  await page.getByLabel('What next?').fill(script({ text: 'Found.' }))
  await page.getByRole('button', { name: /^Continue/ }).click()
  await expect(page.getByRole('region', { name: 'Result of turn 2' })).toContainText('Found.')
})

test('settings have the tools and the model of runs, and refuse a database with a private address', async ({
  page,
  watch,
}) => {
  await openAccount(page)
  await page.goto('/settings/agents')
  await page.getByLabel('Default model').selectOption({ label: 'Northwind Gale 4 mini' })
  await page.getByLabel('Ask for approval').selectOption({ label: 'Never' })
  await page.getByText('Crypto', { exact: true }).click()
  await page.getByLabel('Crypto prices').uncheck()
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Default model')).toHaveValue('northwind/gale-4-mini')
  await expect(page.getByLabel('Ask for approval')).toHaveValue('never')
  await expect(page.getByText('3 of 4')).toBeVisible()
  expect(await auditPage(page)).toEqual([])
  watch.allow(/400/)
  await page.getByLabel('PostgreSQL URL').fill('postgres://u:p@10.0.0.1/x')
  await page.getByRole('button', { name: 'Connect database' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('not a public address')
})

test('jobs are accessible in both themes, and on a phone', async ({ page }) => {
  await openAccount(page)
  const key = await createKeyOf(page, { name: 'reader', agent: true })
  const jobId = await startRun(key, 'What does bitcoin cost?')
  for (const width of [1_440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of ['/jobs', `/jobs/${jobId}`, '/jobs/new', '/settings/agents']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      if (path.endsWith(jobId))
        await expect(page.getByRole('region', { name: 'Result of turn 1' })).toContainText('bitcoin')
      expect(await auditBothThemes(page), `${path} at ${width}`).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width)
    }
  }
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveURL('/settings/agents')
})

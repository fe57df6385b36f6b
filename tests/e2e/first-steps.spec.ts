import type { Page } from '@playwright/test'
import { E2E_URL } from './address'
import { auditBothThemes } from './audit'
import { callToolWithKey, createKeyOf, expect, SEARCH_PARAMS, test } from './fixtures'

const step = (page: Page, name: string) => page.getByRole('list', { name: 'First steps' }).getByRole('link', { name })

test('a new owner starts an example with one click, and steps are ticked off by what happened', async ({ fresh }) => {
  await fresh.goto('/overview')
  for (const name of ['Make a key', 'Call a tool', 'Ask a model', 'Run an agent', 'Connect a client'])
    await expect(step(fresh, `${name} (to do)`)).toBeVisible()
  expect(await auditBothThemes(fresh)).toEqual([])

  await fresh.getByRole('button', { name: /^Start, about \d+ credits: Research with sources$/ }).click()
  await expect(fresh).toHaveURL(/\/jobs\/[0-9a-f-]{36}$/)
  await expect(fresh.getByRole('status', { name: 'Status of the job' })).toContainText('Completed')
  await expect(fresh.getByText('of 400 credits').first()).toBeVisible()

  await fresh.goto('/overview')
  await expect(step(fresh, 'Run an agent (done)')).toBeVisible()
  await step(fresh, 'Make a key (to do)').click()
  await expect(fresh).toHaveURL('/keys/new?for=everything')
  const key = await createKeyOf(fresh, { name: 'mine', llm: true })
  expect((await callToolWithKey(key, 'web_search', SEARCH_PARAMS)).status).toBe(200)
  await fresh.goto('/overview')
  for (const name of ['Make a key (done)', 'Call a tool (done)', 'Ask a model (to do)'])
    await expect(step(fresh, name)).toBeVisible()

  const answer = await fetch(`${E2E_URL}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'northwind/gale-4', max_tokens: 20, messages: [{ role: 'user', content: 'Hello' }] }),
  })
  expect(answer.status).toBe(200)
  await fresh.goto('/overview')
  await expect(fresh.getByRole('heading', { name: 'Balance' })).toBeVisible()
  await expect(fresh.getByRole('heading', { name: 'First steps' })).toHaveCount(0)
  await expect(fresh.getByText('How long it lasts is shown after some hours of calls.')).toBeVisible()
})

test('the first steps can be hidden, and brought back from the settings', async ({ fresh }) => {
  await fresh.goto('/overview')
  await fresh.getByRole('button', { name: 'Hide first steps' }).click()
  await expect(fresh.getByRole('list', { name: 'First steps' })).toBeHidden()
  await fresh.reload()
  await expect(fresh.getByRole('heading', { name: 'Balance' })).toBeVisible()
  await expect(fresh.getByRole('list', { name: 'First steps' })).toBeHidden()
  await fresh.goto('/settings/preferences')
  await fresh.getByRole('button', { name: 'Show first steps' }).click()
  await expect(fresh.getByRole('button', { name: 'Hide first steps' })).toBeVisible()
  await fresh.goto('/overview')
  await expect(step(fresh, 'Make a key (to do)')).toBeVisible()
})

test('an example can be edited before it is started', async ({ fresh }) => {
  await createKeyOf(fresh, { name: 'runner', agent: true })
  await fresh.goto('/jobs/new')
  await fresh.getByRole('link', { name: 'Edit first: A site that asks before it is replaced' }).click()
  await expect(fresh.getByLabel('Goal')).toHaveValue(/lighthouses/)
  await expect(fresh.getByLabel('Mode', { exact: true })).toHaveValue('interactive')
})

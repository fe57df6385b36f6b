import { expect, test } from './fixtures'

test('every page of a new account says what will appear there and how', async ({ fresh }) => {
  await fresh.goto('/overview')
  await expect(fresh.getByText('Nothing needs your attention.')).toBeVisible()
  await expect(fresh.getByTestId('balance')).toContainText('10\u202f000')
  await expect(fresh.getByText('No calls yet')).toBeVisible()
  await expect(fresh.locator('pre')).toContainText('/api/v1/query')
  await fresh.goto('/keys')
  await expect(fresh.getByText('No keys yet')).toBeVisible()
  await expect(fresh.getByText('its secret is shown once, with a first call')).toBeVisible()
  // Only operators have a command line.
  await expect(fresh.locator('pre')).toHaveCount(0)
  await fresh.goto('/usage')
  await expect(fresh.getByText('No calls yet')).toBeVisible()
  await expect(fresh.locator('pre')).toContainText('/api/v1/query')
  await expect(fresh.getByRole('search')).toBeHidden()
  await fresh.goto('/usage?status=failed')
  await expect(fresh.getByText('No matching calls')).toBeVisible()
})

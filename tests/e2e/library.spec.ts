import { randomUUID } from 'node:crypto'
import { E2E_URL } from './address'
import { auditBothThemes } from './audit'
import { createKeyOf, expect, openAccount, test } from './fixtures'

test('the library has what runs made: rows are sorted and found, a site is rolled back and taken down', async ({
  page,
  watch,
}) => {
  // A name that is taken.
  watch.allow(/400/)
  await openAccount(page)
  await page.goto('/library')
  await expect(page.getByText('Nothing yet')).toBeVisible()
  const key = await createKeyOf(page, { name: 'maker', agent: true })
  const slug = `towns-${randomUUID().slice(0, 8)}`
  const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: args }] })
  const publish = (content: string) => call('site_publish', { slug, files: [{ path: 'index.html', content }] })
  const towns = Array.from({ length: 130 }, (_, n) => ({
    town: `Town ${n}`,
    homes: n * 100,
    note: n % 2 ? 'odd' : null,
  }))
  const turns = [
    call('dataset_create', { name: 'towns', rows: towns }),
    call('dataset_create', { name: 'extra', rows: [{ a: 1 }] }),
    publish('<h1>One</h1>'),
    publish('<h1>Two</h1>'),
    call('site_publish', { slug, preview: true, files: [{ path: 'index.html', content: '<h1>Three</h1>' }] }),
    { text: 'Made.' },
  ]
  const started = await fetch(`${E2E_URL}/api/v1/agent`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      goal: `Keep towns. [[sandbox ${JSON.stringify({ turns })}]]`,
      idempotencyKey: randomUUID(),
      permissions: { sites: [slug] },
      wait: true,
    }),
  })
  expect(await started.json()).toMatchObject({ status: 'completed', result: 'Made.' })

  await page.goto('/library')
  await expect(page.getByText('2 of 200')).toBeVisible()
  const views = async () => {
    for (const width of [1_280, 390, 320]) {
      await page.setViewportSize({ width, height: 844 })
      expect(await auditBothThemes(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      const shots = process.env.LIBRARY_SHOTS
      if (shots)
        await page.screenshot({ path: `${shots}/${new URL(page.url()).pathname.replaceAll('/', '_')}-${width}.png` })
    }
    await page.setViewportSize({ width: 1_280, height: 844 })
  }
  await views()

  await page.getByRole('link', { name: 'towns', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'towns' })).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(101)
  const boxOf = async (role: 'columnheader' | 'cell') => {
    const box = await page.getByRole(role).first().boundingBox()
    if (!box) throw new Error(`no ${role} is drawn`)
    return box
  }
  const [names, first] = [await boxOf('columnheader'), await boxOf('cell')]
  expect(names.y + names.height).toBeLessThanOrEqual(first.y + 1)
  await views()
  await page.getByRole('link', { name: 'homes' }).click()
  await expect(page.getByRole('row').nth(1)).toContainText(/12.900/)
  await page.getByRole('link', { name: 'More rows' }).click()
  await expect(page.getByRole('row')).toHaveCount(31)
  await page.getByLabel('Rows that contain').fill('Town 12')
  await expect(page.getByRole('row')).toHaveCount(12)
  await page.getByLabel('Rows that contain').fill('nowhere')
  await expect(page.getByText('No row contains that')).toBeVisible()
  await page.getByRole('button', { name: 'Rename dataset' }).click()
  await page.getByLabel('New name').fill('extra')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect(page.getByText('is the name of another dataset')).toBeVisible()
  await page.getByLabel('New name').fill('cities')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect(page).toHaveURL('/library/datasets/cities')
  await page.getByRole('button', { name: 'Delete dataset' }).click()
  await page.getByRole('button', { name: 'Delete dataset' }).click()
  await expect(page).toHaveURL('/library')
  await expect(page.getByText('1 of 200')).toBeVisible()

  await page.getByRole('link', { name: slug, exact: true }).click()
  await expect(page.getByText('Version 2 is public')).toBeVisible()
  await page.getByRole('button', { name: 'Make version 1 public' }).click()
  await expect(page.getByText('Version 1 is public')).toBeVisible()
  expect(await (await fetch(`${E2E_URL}/sites/${slug}/`)).text()).toContain('One')
  const preview = page.getByRole('link', { name: 'Preview of version 3' })
  const address = (await preview.getAttribute('href')) ?? ''
  expect((await fetch(address)).status).toBe(200)
  await page.getByRole('button', { name: 'End preview of version 3' }).click()
  await views()
  await page.getByRole('button', { name: 'End preview', exact: true }).click()
  await expect(preview).toHaveCount(0)
  expect((await fetch(address)).status).toBe(404)
  await expect(page.getByText('Version 1 is public')).toBeVisible()
  await page.getByRole('button', { name: 'Take down' }).click()
  await page.getByRole('button', { name: 'Take down' }).click()
  await expect(page.getByText('Taken down')).toBeVisible()
  expect((await fetch(`${E2E_URL}/sites/${slug}/`)).status).toBe(404)
})

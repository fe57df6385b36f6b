import { randomUUID } from 'node:crypto'
import AxeBuilder from '@axe-core/playwright'
import type { Browser, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { minRoleOf } from '../../components/shell/navigation-items'
import { mayAs, type Role } from '../../server/accounts/shape'
import { E2E_ACCOUNTS_PORT, E2E_URL } from './address'
import { auditBothThemes } from './audit'
import {
  test as base,
  callToolWithKey,
  createKeyInBrowser,
  createKeyOf,
  expect,
  forgetSession,
  type Login,
  makeLogin,
  openAccount,
  SEARCH_PARAMS,
  submitCredentials,
} from './fixtures'
import type { PageErrors } from './page-errors'
import { pagesOf } from './routes'
import { waitForHydration } from './wait-for-hydration'

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

/** Calls a procedure as whoever is signed in; returns its status and what it answers. */
async function callAs(page: Page, path: string, input: unknown = {}, method: 'get' | 'post' = 'post') {
  const response =
    method === 'post'
      ? await page.request.post(`/api/trpc/${path}`, { data: input })
      : await page.request.get(`/api/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`)
  const body = (await response.json()) as { result?: { data: unknown }; error?: { message: string } }
  return { status: response.status(), data: body.result?.data, message: body.error?.message }
}

/** Makes an invitation without the page; returns its id and link. */
async function inviteTo(page: Page, role: Role): Promise<{ id: string; url: string }> {
  const { data } = await callAs(page, 'members.invite', { role })
  return data as { id: string; url: string }
}

type Elsewhere = { browser: Browser; watch: PageErrors }

const test = base.extend<{ elsewhere: Elsewhere }>({
  elsewhere: ({ browser, watch }, use) => use({ browser, watch }),
})

/** A page of somebody else's browser. */
async function openBrowser({ browser, watch }: Elsewhere): Promise<Page> {
  const context = await browser.newContext({ baseURL: E2E_URL })
  watch.context(context)
  return waitForHydration(await context.newPage())
}

/** Somebody who signs up by an invitation into the account of a page, and where they land. */
async function joinAs(role: Role, host: Page, elsewhere: Elsewhere, login: Login = makeLogin()): Promise<Page> {
  const { url } = await inviteTo(host, role)
  const page = await openBrowser(elsewhere)
  await page.goto(url)
  await submitCredentials(page, login)
  await expect(page).toHaveURL(role === 'billing' ? '/credits' : '/overview')
  return page
}

/** What axe and the audit find on a page, in both themes, on a desktop and on a phone. */
async function findingsOf(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const size of [PHONE, DESKTOP]) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
      found.push(...violations.map(({ id, nodes }) => `${colorScheme} ${size.width}: ${id}: ${nodes[0]?.html}`))
    }
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    if (width > size.width) found.push(`scrolls sideways: ${width} of ${size.width} px`)
  }
  return [...found, ...(await auditBothThemes(page))]
}

test('an owner invites a developer by link, who signs up, makes a key and sees no billing', async ({
  fresh: host,
  elsewhere,
  watch,
}) => {
  watch.allow(/\/credits|favicon/)
  await host.goto('/settings/members')
  await host.getByLabel('Role', { exact: true }).selectOption('developer')
  await host.getByRole('button', { name: 'Invite member' }).click()
  const link = host.getByTestId('invitation')
  await expect(link).toContainText('It is shown this once')
  const url = (await link.locator('code, pre').first().textContent())?.trim() ?? ''
  await expect(host.getByRole('list', { name: 'Open invitations' }).getByRole('listitem')).toHaveCount(1)

  const page = await openBrowser(elsewhere)
  await page.goto(url)
  await expect(page.getByText('invites you as developer')).toBeVisible()
  const login = makeLogin()
  await submitCredentials(page, { ...login, password: 'short' })
  await expect(page.getByLabel('Password')).toHaveAccessibleDescription('Use at least 10 characters')
  await submitCredentials(page, login)
  await expect(page).toHaveURL('/overview')
  const key = await createKeyInBrowser(page, 'worker')
  expect((await callToolWithKey(key, 'web_search', SEARCH_PARAMS)).status).toBe(200)

  await expect(page.getByRole('link', { name: 'Credits', exact: true })).toHaveCount(0)
  await expect(page.getByRole('link', { name: /balance/i })).toHaveCount(0)
  await page.goto('/credits')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not found')
  expect(await callAs(page, 'overview.balance', undefined, 'get')).toMatchObject({
    status: 403,
    message: 'This needs the role billing. Yours in this account is developer.',
  })

  await host.reload()
  await expect(host.getByRole('list', { name: 'Members' }).getByText(login.email)).toBeVisible()
  await expect(host.getByRole('list', { name: 'Open invitations' })).toHaveCount(0)
  await host.goto('/keys')
  await expect(host.getByRole('row').filter({ hasText: 'worker' })).toContainText(login.email)
  await host.getByRole('link', { name: 'worker' }).click()
  await expect(host.getByText(`Made by ${login.email}`)).toBeVisible()
})

test('a billing member sees sums and no keys or calls', async ({ fresh: host, elsewhere, watch }) => {
  watch.allow(/404/)
  const key = await createKeyOf(host, { name: 'nightly' })
  await callToolWithKey(key, 'web_search', SEARCH_PARAMS)
  const page = await joinAs('billing', host, elsewhere)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Credits')
  const nav = page.getByRole('navigation', { name: 'Pages' })
  for (const name of ['Overview', 'Keys', 'Jobs', 'Playground', 'Connect'])
    await expect(nav.getByRole('link', { name, exact: true })).toHaveCount(0)
  await page.goto('/usage')
  await expect(page.getByText('What calls come to.')).toBeVisible()
  await expect(page.getByText('nightly')).toHaveCount(0)
  for (const path of ['/keys', '/jobs', '/usage/refused', '/playground']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not found')
  }
  expect(await callAs(page, 'keys.list', {}, 'get')).toMatchObject({ status: 403 })
})

test('somebody with an account joins another, switches in the bar, and leaves', async ({
  fresh: host,
  elsewhere,
  watch,
}) => {
  watch.allow(/401/)
  await callAs(host, 'members.rename', { name: 'Toll Works' })
  await createKeyOf(host, { name: 'of the works' })
  const { url } = await inviteTo(host, 'viewer')
  const page = await openBrowser(elsewhere)
  const login = makeLogin()
  await openAccount(page, login)
  await page.goto('/overview')
  await expect(page.getByLabel('Account', { exact: true })).toHaveCount(0)
  await page.goto(url)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Join Toll Works')
  expect(await findingsOf(page), 'join').toEqual([])
  await page.getByRole('button', { name: 'Join account' }).click()
  await expect(page).toHaveURL('/overview')
  const switcher = page.getByLabel('Account', { exact: true })
  await expect(switcher.locator('option:checked')).toHaveText('Toll Works')
  await page.goto('/keys')
  await expect(page.getByRole('link', { name: 'of the works' })).toBeVisible()
  expect(await findingsOf(page), 'switcher').toEqual([])
  await switcher.selectOption(login.email)
  await expect(page).toHaveURL('/overview')
  await page.goto('/keys')
  await expect(page.getByText('No keys yet')).toBeVisible()

  // A link for whoever belongs to the account already says so, and is not used up.
  const again = await inviteTo(host, 'admin')
  await page.goto(again.url)
  await page.getByRole('button', { name: 'Join account' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'You belong to this account already' })).toBeVisible()

  // From another page than the one that it leads to, so that one sees when it is there.
  await page.goto('/keys')
  await switcher.selectOption('Toll Works')
  await expect(page).toHaveURL('/overview')
  await page.goto('/settings/members')
  await page.getByRole('button', { name: 'Leave account…' }).click()
  await page.getByRole('button', { name: 'Leave account', exact: true }).click()
  await expect(page).toHaveURL(/\/(overview|signin)/)
  const members = (await callAs(host, 'members.list', undefined, 'get')).data as unknown[]
  expect(members).toHaveLength(1)
})

test('the last owner can neither leave nor be made something else', async ({ fresh: page, elsewhere, watch }) => {
  watch.allow(/409/)
  await page.goto('/settings/members')
  const list = page.getByRole('list', { name: 'Members' })
  await list.getByRole('combobox').selectOption('viewer')
  await expect(list.getByRole('alert')).toContainText('last owner')
  await page.reload()
  await expect(list.getByRole('combobox')).toHaveValue('owner')
  // With others in it, the page says what to do first.
  await joinAs('viewer', page, elsewhere)
  await page.reload()
  await expect(page.getByText('You are its last owner: make somebody else an owner first')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Leave account…' })).toBeDisabled()
  expect(await callAs(page, 'members.leave')).toMatchObject({ status: 409 })
})

test('an invitation that was used, withdrawn or has expired says so', async ({ fresh: host, elsewhere }) => {
  const [used, withdrawn, expired] = [
    await inviteTo(host, 'viewer'),
    await inviteTo(host, 'viewer'),
    await inviteTo(host, 'viewer'),
  ]
  const page = await openBrowser(elsewhere)
  await page.goto(used.url)
  await submitCredentials(page, makeLogin())
  await expect(page).toHaveURL('/overview')
  await host.goto('/settings/members')
  const open = host.getByRole('list', { name: 'Open invitations' }).getByRole('listitem')
  await expect(open).toHaveCount(2)
  await callAs(host, 'members.withdraw', { id: withdrawn.id })
  await fetch(`http://127.0.0.1:${E2E_ACCOUNTS_PORT}/expired-invitation`, { method: 'POST', body: expired.id })
  await forgetSession(page)
  for (const { url } of [used, withdrawn, expired]) {
    await page.goto(url)
    await expect(page.getByText('This invitation was used or withdrawn, has expired')).toBeVisible()
    await expect(page.getByLabel('Password')).toHaveCount(0)
  }
  expect(await findingsOf(page)).toEqual([])
  await host.reload()
  await expect(open).toHaveCount(0)
})

test('an account that requires a second factor makes a member add one before anything', async ({
  fresh: host,
  elsewhere,
  watch,
}) => {
  watch.allow(/403/)
  const page = await joinAs('developer', host, elsewhere)
  await host.goto('/settings/members')
  await host.getByRole('button', { name: 'Require second factors' }).click()
  // Whoever asks for it and has none adds one as well.
  await expect(host).toHaveURL('/second-factor')
  for (const path of ['/overview', '/keys', '/settings/members']) {
    await page.goto(path)
    await expect(page).toHaveURL('/second-factor')
  }
  expect(await callAs(page, 'keys.list', {}, 'get')).toMatchObject({ status: 403 })
  expect(await findingsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Set up authenticator app' }).click()
  const secret = (await page.getByTestId('app-secret').textContent()) ?? ''
  await page.getByLabel('Code that the app shows').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page).toHaveURL('/overview')
  await page.goto('/keys')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Keys')
})

test('axe finds nothing on the members of an account, for any role', async ({ fresh: host, elsewhere }) => {
  const roles = ['admin', 'developer', 'billing', 'viewer'] as const
  const pages: Page[] = [host]
  for (const role of roles) pages.push(await joinAs(role, host, elsewhere))
  await inviteTo(host, 'viewer')
  for (const [at, page] of pages.entries()) {
    await page.goto('/settings/members')
    await expect(page.getByRole('list', { name: 'Members' }).locator('xpath=./li')).toHaveCount(5)
    expect(await findingsOf(page), ['owner', ...roles][at]).toEqual([])
  }
})

/** Names of what makes, changes or ends something, by the role that it asks for. */
const OFFERS = {
  developer:
    /^(New (key|run|schedule)|Run( for| up| again| now| tool|$)|Ask a model|Rotate|Revoke|Edit key|Make a copy|Cancel$|Approve|Revise|Start( run| for| up|$)|Pause|Edit schedule|Delete schedule|Open in the playground|Hide first steps)/,
  admin:
    /^(New (management key|budget)|Edit budget|Delete budget|Make a budget|Invite member|Save (time zone|choice|account name)|Set a budget|Remove )/,
} as const

/** The names of what can be pressed on a page, of those that a pattern has. */
async function offered(page: Page, pattern: RegExp): Promise<string[]> {
  const main = page.getByRole('main')
  const found = [
    main.getByRole('button', { name: pattern, disabled: false }),
    main.getByRole('link', { name: pattern }),
  ]
  return (await Promise.all(found.map((locator) => locator.allTextContents()))).flat()
}

test('no page offers what a role may not do, and every page of a role opens', async ({
  fresh: host,
  elsewhere,
  watch,
}) => {
  watch.allow(/404/)
  await createKeyOf(host, { name: 'runner', agent: true })
  const keys = (await callAs(host, 'keys.list', {}, 'get')).data as { rows: { id: number }[] }
  const keyId = keys.rows[0]?.id ?? 0
  const plan = { turns: [{ toolCalls: [{ name: 'present_plan', arguments: { plan: 'Go.' } }] }, { text: 'Gone.' }] }
  const goal = `Go. [[sandbox ${JSON.stringify(plan)}]]`
  const start = { goal, idempotencyKey: randomUUID(), keyId, mode: 'interactive' }
  const { jobId } = (await callAs(host, 'jobs.start', start)).data as { jobId: string }
  const given = { keyId, cron: '0 9 1 1 *', timeZone: 'UTC', goal: 'Report.' }
  const { scheduleId } = (await callAs(host, 'schedules.create', given)).data as { scheduleId: string }
  const limits = { name: 'All', credits: 100, window: 'month', scope: { keys: [keyId] } }
  const budget = (await callAs(host, 'budgets.create', limits)).data as { id: string }
  const made = [`/keys/${keyId}`, `/jobs/${jobId}`, `/jobs/schedules/${scheduleId}`, `/budgets/${budget.id}`]
  const paths = [...pagesOf('(dashboard)').filter((path) => !path.startsWith('/operators')), ...made]
  await host.goto(`/jobs/${jobId}`)
  await expect(host.getByRole('button', { name: 'Approve plan' })).toBeVisible()

  /** What a role is offered, by page, where it opens; pages that do not are as its role says. */
  const visitAll = async (page: Page, role: Role, patterns: readonly RegExp[]) => {
    const seen: Record<string, string[]> = {}
    for (const path of paths) {
      const response = await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const opens = mayAs(role, minRoleOf(path))
      if (path !== '/overview') expect(response?.status(), `${role} ${path}`).toBe(opens ? 200 : 404)
      await expect(page.getByText('Something went wrong'), `${role} ${path}`).toHaveCount(0)
      const names = opens ? (await Promise.all(patterns.map((pattern) => offered(page, pattern)))).flat() : []
      if (names.length > 0) seen[path] = names
    }
    return seen
  }
  for (const role of ['viewer', 'billing'] as const) {
    const page = await joinAs(role, host, elsewhere)
    expect(await visitAll(page, role, [OFFERS.developer, OFFERS.admin]), role).toEqual({})
  }
  const developer = await joinAs('developer', host, elsewhere)
  expect(await visitAll(developer, 'developer', [OFFERS.admin])).toEqual({})
  // Whoever may is offered it, on each of these.
  for (const path of ['/keys', '/jobs', '/catalog/property_search', ...made.slice(0, 3)]) {
    await developer.goto(path)
    await expect.poll(() => offered(developer, OFFERS.developer), path).not.toEqual([])
  }
  for (const path of ['/budgets', '/settings/members', `/budgets/${budget.id}`]) {
    await host.goto(path)
    await expect.poll(() => offered(host, OFFERS.admin), path).not.toEqual([])
  }
})

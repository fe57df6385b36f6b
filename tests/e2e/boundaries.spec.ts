import { E2E_URL } from './address'
import { callToolWithKey, createKeyOf, expect, forgetSession, openAccount, SEARCH_PARAMS, test } from './fixtures'

test("another owner's key is not found", async ({ page, fresh, busy, watch }) => {
  await busy.goto('/keys')
  await busy.getByRole('link', { name: 'nightly research' }).click()
  await expect(busy).toHaveURL(/\/keys\/\d+$/)
  const theirs = busy.url()
  await forgetSession(page)
  await openAccount(fresh)
  watch.allow(/404/)
  for (const path of [theirs, '/keys/999999', '/keys/0', '/keys/x', '/nowhere']) {
    expect((await page.goto(path))?.status(), path).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not found')
    await expect(page.locator('body')).not.toContainText('nightly research')
  }
})

test('the API accepts no session, and the dashboard accepts no key', async ({ busy }) => {
  const secret = await createKeyOf(busy, { name: 'a caller' })
  const signedIn = await busy.request.get('/api/v1/key')
  expect(signedIn.status()).toBe(401)
  const query = await busy.request.post('/api/v1/query', { data: { tool: 'web_search', params: SEARCH_PARAMS } })
  expect(query.status()).toBe(401)
  expect((await busy.request.get('/api/trpc/account.me')).status()).toBe(200)

  const bearer = { authorization: `Bearer ${secret}` }
  expect((await fetch(`${E2E_URL}/api/v1/key`, { headers: bearer })).status).toBe(200)
  for (const path of ['/api/trpc/account.me', '/api/trpc/overview.balance', '/api/trpc/keys.list?input={}']) {
    expect((await fetch(E2E_URL + path, { headers: bearer })).status, path).toBe(401)
  }
  const page = await fetch(`${E2E_URL}/overview`, { headers: bearer, redirect: 'manual' })
  expect([page.status, page.headers.get('location')]).toEqual([307, '/signin'])
  const csv = await fetch(`${E2E_URL}/usage/export`, { headers: bearer })
  expect(csv.status).toBe(401)
})

test('a screenshot is hosted with headers that let it run nothing', async ({ busy }) => {
  const secret = await createKeyOf(busy, { name: 'screenshots' })
  const params = { url: `${E2E_URL}/signin`, viewport: { width: 400, height: 300 } }
  const { status, body } = await callToolWithKey(secret, 'web_screenshot', params)
  expect(body).toMatchObject({ statusCode: 200, title: 'Sign in · Tollgate', service: { credits_charged: 2 } })
  expect(status).toBe(200)
  const file = await fetch(String(body.url))
  expect(file.headers.get('content-type')).toBe('image/png')
  expect(file.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/)
  expect(file.headers.get('x-content-type-options')).toBe('nosniff')
  expect([...new Uint8Array(await file.arrayBuffer()).slice(1, 4)]).toEqual([...Buffer.from('PNG')])
})

test("the dashboard's procedures refuse large batches and names with null bytes", async ({ busy }) => {
  await busy.goto('/keys')
  const create = (data: string) =>
    busy.request.post('/api/trpc/keys.create', { headers: { 'content-type': 'application/json' }, data })
  expect((await create(JSON.stringify({ name: 'a\0b' }))).status()).toBe(400)
  expect((await create('{"name')).status()).toBe(400)
  const calls = Array<string>(21).fill('account.me')
  const batch = (size: number) => busy.request.get(`/api/trpc/${calls.slice(0, size).join(',')}?batch=1&input={}`)
  expect([(await batch(20)).status(), (await batch(21)).status()]).toEqual([200, 400])
})

test('a request that no page can serve gets a JSON error', async ({ request }) => {
  for (const [method, path, status] of [
    ['PUT', '/keys', 405],
    ['DELETE', '/', 405],
    ['TRACE', '/overview', 405],
    ['GET', '/keys/%E0%A4%A', 400],
    ['GET', '/%', 400],
  ] as const) {
    const answer = await request.fetch(path, { method, maxRedirects: 0, headers: { accept: 'text/html' } })
    expect([method, path, answer.status()]).toEqual([method, path, status])
    expect(await answer.json()).toEqual({
      error: expect.any(String),
      code: expect.any(String),
      reason: expect.any(String),
      retryable: false,
    })
  }
  const form = await request.post('/signin', { multipart: { password: 'x'.repeat(2 ** 21) } })
  expect(form.status()).toBe(413)
})

test('pages allow no frame, no external script, and only inline scripts with the nonce of the response', async ({
  busy,
}) => {
  const nonces = new Set<string>()
  for (const path of ['/', '/signin', '/overview', '/keys/new', '/nowhere']) {
    const page = await busy.request.get(path, { maxRedirects: 0, headers: { accept: 'text/html' } })
    const { 'content-security-policy': policy = '', ...headers } = page.headers()
    expect(policy, path).toMatch(
      /default-src 'self'; script-src 'nonce-[^']+' 'strict-dynamic'; .*frame-ancestors 'none'/,
    )
    expect(policy, path).not.toMatch(/script-src[^;]*(unsafe|self)/)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
    })
    expect(headers).not.toHaveProperty('x-powered-by')
    nonces.add(/'nonce-([^']+)'/.exec(policy)?.[1] ?? '')
  }
  expect(nonces.size).toBe(5)
})

test('the image resizer of Next is off', async ({ request }) => {
  expect((await request.get('/_next/image?url=%2Ficon.svg&w=640&q=75')).status()).toBe(404)
})

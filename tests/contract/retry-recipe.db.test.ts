import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import { cryptoSettings } from '../../server/tools/crypto/settings'
import { withSandbox } from '../support/api'
import { readOwnerMoney } from '../support/ledger'
import { sharedListener } from '../support/listener'
import { makeCaller } from '../support/owners'

withSandbox()

/** The guide's way to try again, as a module that exports its `call`. */
async function loadRecipe(): Promise<(tool: string, params: object) => Promise<{ rows: { coinId: string }[] }>> {
  const guide = readFileSync(path.join(PROJECT_ROOT, 'docs/guides/errors.md'), 'utf8')
  const [, code = ''] = /```ts run\n([\s\S]*?)\nconsole\.log/.exec(guide) ?? []
  const { url } = await sharedListener()
  const file = path.join(folder, 'recipe.ts')
  writeFileSync(file, `${code.replaceAll('{{base_url}}', `${url}/api/v1`)}\nexport { call }\n`)
  return (await import(file)).call
}

const folder = mkdtempSync(path.join(PROJECT_ROOT, 'node_modules/.recipe-'))
const base = cryptoSettings().COINGECKO_BASE_URL
/** A provider that answers with a page until it has recovered. */
let failures = 0
const provider = createServer(async (req, res) => {
  if (failures-- > 0) return void res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Busy</h1>')
  const answer = await fetch(`${base}${req.url}`)
  res.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
})
beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const COINGECKO_BASE_URL = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  Object.assign(cryptoSettings(), { COINGECKO_BASE_URL })
})
afterAll(() => {
  Object.assign(cryptoSettings(), { COINGECKO_BASE_URL: base })
  provider.close()
  rmSync(folder, { recursive: true })
})

it('a charged failure is tried again as a new call, which gets the answer', async () => {
  const { owner, key } = await makeCaller()
  const call = await loadRecipe()
  process.env.TOLLGATE_KEY = key.key
  failures = 1
  expect((await call('crypto_get_prices', { coinIds: ['bitcoin'] })).rows).toMatchObject([{ coinId: 'bitcoin' }])
  expect(await readOwnerMoney(owner)).toMatchObject({ charged: 6, receipts: 2 })
})

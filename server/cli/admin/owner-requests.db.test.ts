import { expect, test } from 'vitest'
import { callQuery, withSandbox } from '../../../tests/support/api'
import { makeCaller } from '../../../tests/support/owners'
import { flushRefusals } from '../../request-log/note-refusal'
import { ownerRequestCommands } from './owner-requests'

withSandbox()

const run = async (name: string, options: Record<string, string>) => {
  const command = ownerRequestCommands.find((one) => one.name === name)
  if (!command) throw new Error(`There is no ${name}.`)
  return (await command.run(options)) as { data: { rows: unknown[]; nextCursor: string | null }; text: string }
}

test('owner requests and owner refusals list calls with their reasons, filtered and in pages', async () => {
  const { owner, key } = await makeCaller(1_000, { tools: ['crypto_get_prices'] })
  const { email } = owner
  for (let call = 0; call < 3; call++) await callQuery(key.key, 'crypto_get_prices', { coinIds: ['bitcoin'] })
  expect((await callQuery(key.key, 'web_search', { query: 'a private question' })).status).toBe(403)
  await flushRefusals()

  const first = await run('owner requests', { email, limit: '2' })
  expect(first.text).toMatch(new RegExp(`crypto_get_prices\\t\\w+\\tok\\tkey ${key.id}\\t\\d+ ms\\t3 credits`))
  expect(first.data.rows).toHaveLength(2)
  expect(first.text).toContain(`more: --cursor ${first.data.nextCursor}`)
  const rest = await run('owner requests', { email, limit: '2', cursor: String(first.data.nextCursor) })
  expect([rest.data.rows.length, rest.data.nextCursor]).toEqual([1, null])
  expect((await run('owner requests', { email, status: 'failed' })).text).toBe('No call is like that.')

  const refused = await run('owner refusals', { email, status: '403' })
  expect(refused.text).toMatch(new RegExp(`web_search\\t403\\t\\w+\\tkey ${key.id}\\t`))
  expect(refused.text).not.toContain('a private question')
  expect((await run('owner refusals', { email, status: '429' })).data.rows).toEqual([])
  await expect(run('owner requests', { email: 'nobody@example.com' })).rejects.toThrow('no owner')
})

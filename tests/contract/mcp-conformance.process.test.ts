import { expect, test } from 'vitest'
import { runConformance } from '../conformance/run'
import { withSandbox } from '../support/api'
import { readOwnerMoney } from '../support/ledger'
import { makeCaller } from '../support/owners'

withSandbox()

test('the official suite passes wherever it asks for what this server offers, and costs nothing', async () => {
  const { owner, key } = await makeCaller()
  const { exitCode, output } = await runConformance(key.key)
  expect(exitCode, output).toBe(0)
  expect(await readOwnerMoney(owner)).toMatchObject({ charged: 0, receipts: 0 })
})

import { expect, test, vi } from 'vitest'
import { withSandbox } from '../../../tests/support/api'
import { mainPool } from '../../db'
import { log } from '../../kit/log'
import { processRegistry } from '../../kit/metrics/registry'
import { renderStreams, warmUp } from './warm-up'

const sandbox = withSandbox()

/** How many rows each table that calls write to has. */
async function countRows(): Promise<unknown> {
  const tables = ['hold', 'ledger', 'receipt', 'refusal', 'request_hour', 'request_log', 'rate_window', 'idempotency']
  const counts = tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`)
  return (await mainPool().query(`SELECT ${counts.join(', ')}`)).rows[0]
}

/** What is counted of calls: models, tokens, charges and answers. */
async function countedCalls(): Promise<string[]> {
  const text = await processRegistry.metrics()
  return text.split('\n').filter((line) => /^tollgate_(upstream|tokens|credits|tool|requests)/.test(line))
}

test('a process that warms up renders streams, and neither writes, asks nor counts anything', async () => {
  const warned = vi.spyOn(log, 'warn')
  const before = [await countRows(), await countedCalls(), await sandbox.calls()]
  expect(await renderStreams()).toBeGreaterThan(0)
  await warmUp()
  expect(warned).not.toHaveBeenCalled()
  expect([await countRows(), await countedCalls(), await sandbox.calls()]).toEqual(before)
})

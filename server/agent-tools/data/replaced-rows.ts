import type { AgentCaller } from '../../tools/flow'
import type { Effect } from '../../tools/shape'
import { runDatasetTask } from './dataset-pool'
import type { TableInput } from './dataset-tasks'
import { loadDataset } from './store'

/**
 * The rows that go and come where a dataset is replaced; null: it is deleted. Throws
 * `invalid_request` as the call itself will.
 */
export async function replacedRows(
  name: string,
  given: () => Promise<TableInput> | null,
  caller: AgentCaller,
): Promise<Effect | null> {
  const before = await loadDataset(caller.ownerId, name)
  return (await runDatasetTask({ kind: 'compare', before, given: await given() }, caller)).effect
}

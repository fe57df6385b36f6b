import { saveDataset } from '../../server/agent-tools/data/store'
import { packTable, tableFromRows } from '../../server/agent-tools/data/table'

/** Stores rows as a new dataset of an owner, without the thread that callers' rows need. */
export async function makeDataset(ownerId: number, name: string, rows: Record<string, unknown>[]): Promise<void> {
  await saveDataset({ ownerId, name, table: packTable(tableFromRows(rows)), mayReplace: false })
}

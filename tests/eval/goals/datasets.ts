import { runDatasetTask } from '../../../server/agent-tools/data/dataset-pool'
import { saveDataset } from '../../../server/agent-tools/data/store'
import type { UnknownRecord } from '../../../server/kit/record'
import type { TestOwner } from '../../support/owners'
import { numberFor } from '../pages'

const REGIONS = ['north', 'south', 'east', 'west'] as const

/** The orders that some owners have, the same at any time. */
export const ORDERS = Array.from({ length: 900 }, (_, i) => ({
  id: i + 1,
  customer: `customer-${numberFor(`customer ${i}`, 40)}`,
  region: REGIONS[numberFor(`region ${i}`, REGIONS.length)] ?? 'north',
  amount: 5 + numberFor(`amount ${i}`, 495),
  note: `Order ${i + 1} was packed by hand and left the warehouse on the next morning.`,
}))

export const CUSTOMERS = Array.from({ length: 40 }, (_, i) => ({
  customer: `customer-${i}`,
  country: ['es', 'pt', 'it', 'fr'][numberFor(`country ${i}`, 4)] ?? 'es',
}))

/** Stores rows as a dataset of an owner before a run. */
export async function giveDataset({ id }: TestOwner, name: string, rows: UnknownRecord[]): Promise<void> {
  const given = { ownerId: id, signal: AbortSignal.timeout(60_000) }
  const { table } = await runDatasetTask({ kind: 'pack', given: { rows } }, given)
  await saveDataset({ ownerId: id, name, table, mayReplace: true })
}

import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { prisma, runStatement } from '../../db'
import { AppError, needsApproval } from '../../errors'
import { statement } from '../../kit/statement'
import type { RunIds } from '../../tools/flow'
import type { PackedTable } from './dataset-tasks'
import { MAX_DATASETS } from './limits'
import { Column } from './shape'

export type DatasetInfo = {
  name: string
  columns: Column[]
  rowCount: number
  createdAt: string
  updatedAt: string
} & DatasetOrigin

/**
 * `foreignText`: written by a run that had read text by strangers. `runId`: the run that made it;
 * null where others than runs of its conversation wrote it too.
 */
export type DatasetOrigin = { foreignText: boolean; runId: string | null }

/** Whether only this run's conversation has written a dataset. */
export const isMadeIn = (run: RunIds | undefined, { runId }: Pick<DatasetOrigin, 'runId'>): boolean =>
  runId !== null && (run?.conversation.includes(runId) ?? false)

/** Whether a run may destroy a dataset that it made itself. */
export const isMadeBy = (run: RunIds | undefined, { runId }: Pick<DatasetOrigin, 'runId'>): boolean =>
  runId !== null && runId === run?.id

type Row = { name: string; columns: unknown; rowCount: number; createdAt: Date; updatedAt: Date } & DatasetOrigin

const infoOf = (row: Row): DatasetInfo => ({
  name: row.name,
  columns: z.array(Column).parse(row.columns),
  rowCount: row.rowCount,
  foreignText: row.foreignText,
  runId: row.runId,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

const WITHOUT_ROWS = {
  ...{ name: true, columns: true, rowCount: true, foreignText: true, runId: true },
  ...{ createdAt: true, updatedAt: true },
}

// Agents ask this often, so PostgreSQL keeps its plan.
const DATASETS = statement({
  name: 'datasets_list',
  sql: `SELECT name, columns, row_count AS "rowCount", foreign_text AS "foreignText", run_id AS "runId", created_at AS "createdAt",
      updated_at AS "updatedAt" FROM dataset WHERE owner_id = $1 ORDER BY name`,
  params: ['int'],
  columns: {
    name: 'text',
    columns: 'jsonb',
    rowCount: 'int',
    foreignText: 'boolean',
    runId: 'uuid?',
    createdAt: 'timestamptz',
    updatedAt: 'timestamptz',
  },
  isPrepared: true,
})

/** An owner's datasets by name, without their rows. */
export const listDatasets = async (ownerId: number): Promise<DatasetInfo[]> =>
  (await runStatement(DATASETS, [ownerId])).map(infoOf)

/** An owner's dataset without its rows; null: it does not exist. */
export async function findDataset(ownerId: number, name: string): Promise<DatasetInfo | null> {
  const row = await prisma().dataset.findUnique({ where: { ownerId_name: { ownerId, name } }, select: WITHOUT_ROWS })
  return row ? infoOf(row) : null
}

/** The refusal of people and programs that name a dataset which does not exist. */
export const noDataset = (name: string): AppError => new AppError('not_found', `There is no dataset "${name}".`)

const datasetNotFound = (name: string) =>
  new AppError('invalid_request', `There is no dataset "${name}". dataset_list lists the datasets.`)

/**
 * A dataset with its packed rows, and when it was last written. Throws `invalid_request` where it
 * does not exist.
 */
export async function loadDataset(
  ownerId: number,
  name: string,
): Promise<PackedTable & DatasetOrigin & { updatedAt: Date }> {
  const row = await prisma().dataset.findUnique({ where: { ownerId_name: { ownerId, name } } })
  if (!row) throw datasetNotFound(name)
  const { rowCount, foreignText, runId, updatedAt } = row
  return { columns: z.array(Column).parse(row.columns), packed: row.rows, rowCount, foreignText, runId, updatedAt }
}

type Save = {
  ownerId: number
  name: string
  table: PackedTable
  mayReplace: boolean
  foreignText?: boolean
  run?: RunIds
}

/**
 * Stores a table under a name. Throws `conflict` when the name is taken and may not be replaced. A
 * run may always replace what it made itself.
 */
export async function saveDataset(save: Save): Promise<DatasetInfo & { replaced: boolean }> {
  const { ownerId, name, table, mayReplace, foreignText = false, run } = save
  const data = { ...rowOf(table), foreignText, runId: run?.id ?? null }
  if ((await prisma().dataset.count({ where: { ownerId, name: { not: name } } })) >= MAX_DATASETS)
    throw new AppError('invalid_request', `An owner may have ${MAX_DATASETS} datasets. Delete one first.`)
  const { count } = await prisma().dataset.createMany({ data: { ownerId, name, ...data }, skipDuplicates: true })
  if (count === 0) {
    const replaced = await prisma().dataset.updateMany({
      where: { ownerId, name, ...(!mayReplace && ownOf(run)) },
      data: { ...data, updatedAt: new Date() },
    })
    if (replaced.count === 0) throw needsApproval(`Replacing the dataset ${name}`)
  }
  const saved = await findDataset(ownerId, name)
  if (!saved) throw datasetNotFound(name)
  return { ...saved, replaced: count === 0 }
}

/**
 * Changes a dataset's rows, and starts again when somebody else wrote it meanwhile.
 * Throws `invalid_request` for a missing dataset, and `conflict` after too many attempts.
 */
export async function changeDataset(
  { ownerId, name, foreignText, run }: { ownerId: number; name: string; foreignText: boolean; run?: RunIds },
  change: (table: PackedTable) => Promise<PackedTable>,
): Promise<DatasetInfo> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const { updatedAt, runId, ...before } = await loadDataset(ownerId, name)
    const table = await change(before)
    const { count } = await prisma().dataset.updateMany({
      where: { ownerId, name, updatedAt },
      // Never the same time twice: the time shows whether somebody else wrote.
      data: {
        ...rowOf(table),
        ...(foreignText && { foreignText }),
        ...(!isMadeIn(run, { runId }) && { runId: null }),
        updatedAt: new Date(Math.max(Date.now(), updatedAt.getTime() + 1)),
      },
    })
    const saved = count > 0 ? await findDataset(ownerId, name) : null
    if (saved) return saved
    await sleep(10 * 2 ** Math.min(attempt, 5) * Math.random())
  }
  throw new AppError('conflict', `The dataset "${name}" is being written by others. Try again.`, {
    reason: 'in_progress',
  })
}

const rowOf = ({ columns, rowCount, packed }: PackedTable) => ({ columns, rowCount, rows: new Uint8Array(packed) })

/** Only what this run made; without a run nothing. */
const ownOf = (run: RunIds | undefined) => ({ runId: { in: run ? [run.id] : [] } })

/**
 * Deletes a dataset; with `onlyOf`, only one that this run made. False where there was none to
 * delete.
 */
export async function deleteDataset(ownerId: number, name: string, onlyOf?: RunIds): Promise<boolean> {
  const { count } = await prisma().dataset.deleteMany({ where: { ownerId, name, ...(onlyOf && ownOf(onlyOf)) } })
  return count > 0
}

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { makeOwner, type TestOwner } from '../../../tests/support/owners'
import { closeDb } from '../../db'
import { findHostedFile } from '../../files/read'
import type { AnyTool } from '../../tools/define'
import { datasetAppend } from './dataset_append'
import { datasetCreate } from './dataset_create'
import { datasetDelete } from './dataset_delete'
import { datasetExport } from './dataset_export'
import { datasetList } from './dataset_list'
import { datasetQuery } from './dataset_query'
import { datasetParser } from './dataset-pool'

let owner: TestOwner
let other: TestOwner
beforeAll(async () => {
  owner = await makeOwner()
  other = await makeOwner()
})
afterAll(closeDb)

type Result = Record<string, unknown> & { rows: Record<string, unknown>[] }

/** Runs a tool as an agent run does: input parsed, output checked against its schema. */
async function run(tool: AnyTool, input: unknown, { as = owner, approved = false } = {}): Promise<Result> {
  const parsed = tool.params.parse(input) as never
  const context = {
    signal: new AbortController().signal,
    onSent: () => {},
    spent: () => {},
    ownerId: as.id,
    approved,
  }
  return tool.output.parse(await tool.run(parsed, context)) as Result
}

const asks = (tool: AnyTool, input: unknown) =>
  tool.asks?.(tool.params.parse(input) as never, {
    ...{ ownerId: owner.id, jobId: 'x' },
    run: { id: 'r', conversation: ['r'] },
  })

const query = async (sql: string, as = owner) => (await run(datasetQuery, { sql }, { as })).rows

const ORDERS = [
  { id: 1, region: 'north', total: 10.5, paid: true, tags: ['a', 'b'] },
  { id: 2, region: 'süd', total: 20, paid: false, tags: null },
  { id: 3, region: 'north', total: 4, paid: true },
]

describe('a dataset', () => {
  test('is created with column types, listed, and queried with SQL', async () => {
    const made = await run(datasetCreate, { name: 'orders', rows: ORDERS })
    expect(made).toMatchObject({ name: 'orders', rowCount: 3, replaced: false })
    expect(made.columns).toEqual([
      { name: 'id', type: 'integer' },
      { name: 'region', type: 'text' },
      { name: 'total', type: 'number' },
      { name: 'paid', type: 'boolean' },
      { name: 'tags', type: 'json' },
    ])
    expect((await run(datasetList, {})).rows).toMatchObject([{ name: 'orders', rowCount: 3 }])
    expect(await query('select region, sum(total) as sum from orders where paid = 1 group by 1')).toEqual([
      { region: 'north', sum: 14.5 },
    ])
    expect(await query("select json_extract(tags, '$[1]') as tag from orders where id = 1")).toEqual([{ tag: 'b' }])
  })

  test('is created from CSV, where text that only looks like a number stays text', async () => {
    await run(datasetCreate, { name: 'csv', csv: '\ufeffzip,n,flag\n00123,5,true\n"a ""b"", c",,false\n' })
    expect(await query('select * from csv')).toEqual([
      { zip: '00123', n: 5, flag: 1 },
      { zip: 'a "b", c', n: null, flag: 0 },
    ])
    await expect(run(datasetCreate, { name: 'csv2', csv: 'a,b\n1,2,3\n' })).rejects.toThrow(/not CSV/)
  })

  test('is replaced only with approval', async () => {
    expect(await asks(datasetCreate, { name: 'fresh', rows: ORDERS })).toBeNull()
    await run(datasetCreate, { name: 'fresh', rows: ORDERS })
    expect(await asks(datasetCreate, { name: 'fresh', rows: ORDERS })).toMatchObject({
      summary: 'Replace the dataset fresh, which has 3 rows.',
    })
    await expect(run(datasetCreate, { name: 'fresh', rows: [{ x: 1 }] })).rejects.toThrow(/needs approval/)
    expect(await query('select count(*) as n from fresh')).toEqual([{ n: 3 }])
    expect(await run(datasetCreate, { name: 'fresh', rows: [{ x: 1 }] }, { approved: true })).toMatchObject({
      replaced: true,
    })
    expect(await query('select * from fresh')).toEqual([{ x: 1 }])
  })

  test('is deleted only with approval', async () => {
    await run(datasetCreate, { name: 'gone', rows: ORDERS })
    expect(await asks(datasetDelete, { name: 'gone' })).toMatchObject({
      summary: 'Delete the dataset gone with its 3 rows.',
    })
    await expect(run(datasetDelete, { name: 'gone' })).rejects.toThrow(/needs approval/)
    expect(await run(datasetDelete, { name: 'gone' }, { approved: true })).toEqual({ deleted: true })
    expect(await asks(datasetDelete, { name: 'gone' })).toBeNull()
    expect(await run(datasetDelete, { name: 'gone' })).toEqual({ deleted: false })
  })

  test('gets new rows and columns, also from concurrent appends', async () => {
    await run(datasetCreate, { name: 'grows', rows: [{ a: 1 }] })
    await Promise.all([2, 3, 4, 5].map((n) => run(datasetAppend, { name: 'grows', rows: [{ a: n, b: `b${n}` }] })))
    expect(await query('select a, b from grows order by a')).toEqual([
      { a: 1, b: null },
      ...[2, 3, 4, 5].map((n) => ({ a: n, b: `b${n}` })),
    ])
  })

  test('is exported to a file that anyone with its URL can read', async () => {
    await run(datasetCreate, { name: 'out', rows: [{ name: '=1+1', n: 2 }] })
    const { url } = await run(datasetExport, { name: 'out' })
    const id = String(url).split('/files/')[1] ?? ''
    const file = await findHostedFile(id)
    expect(file).toMatchObject({ contentType: 'text/csv' })
    const json = await run(datasetExport, { name: 'out', format: 'json' })
    expect(json).toMatchObject({ rowCount: 1 })
  })

  test('is invisible to other owners', async () => {
    await run(datasetCreate, { name: 'mine', rows: ORDERS })
    expect((await run(datasetList, {}, { as: other })).rows).toEqual([])
    await expect(query('select * from mine', other)).rejects.toThrow(/no such table/)
    await expect(run(datasetAppend, { name: 'mine', rows: [{ a: 1 }] }, { as: other })).rejects.toThrow(/no dataset/)
    await expect(run(datasetExport, { name: 'mine' }, { as: other })).rejects.toThrow(/no dataset/)
    expect(await run(datasetDelete, { name: 'mine' }, { as: other, approved: true })).toEqual({ deleted: false })
    expect(await query('select count(*) as n from mine')).toEqual([{ n: 3 }])
  })

  test.each([
    ['Upper', 'not a name for a table'],
    ['a-b', 'not a name for a table'],
    ['', 'no name'],
  ])('%s is refused: %s', (name) => {
    expect(datasetCreate.params.safeParse({ name, rows: [] }).success).toBe(false)
  })

  test('without rows, with both rows and csv, or with ambiguous column names is refused', async () => {
    await expect(run(datasetCreate, { name: 'bad', rows: [] })).rejects.toThrow(/at least one row/)
    await expect(run(datasetCreate, { name: 'bad' })).rejects.toThrow(/exactly one of rows, csv/)
    await expect(run(datasetCreate, { name: 'bad', rows: [{ a: 1 }], csv: 'a\n1' })).rejects.toThrow(/exactly one of/)
    await expect(run(datasetCreate, { name: 'bad', rows: [{ a: 1, A: 2 }] })).rejects.toThrow(/twice/)
    await expect(run(datasetCreate, { name: 'bad', rows: [{ 'a\0b': 1 }] })).rejects.toThrow(/invalid column name/)
  })
})

describe('a query', () => {
  test.each([
    'delete from orders',
    'drop table orders',
    "attach '/etc/passwd' as x",
    'pragma query_only = off',
    'create table x (a)',
    '',
    ';',
  ])('%s is refused', async (sql) => {
    await expect(run(datasetQuery, { sql })).rejects.toThrow()
  })

  test('cannot write in a WITH clause, load code, or read files', async () => {
    await expect(query('with x as (select 1) delete from orders')).rejects.toThrow(/returns no columns/)
    await expect(query('with x as (select 1) delete from orders returning id')).rejects.toThrow(/readonly/)
    await expect(query("select load_extension('/tmp/x')")).rejects.toThrow(/no such function|not authorized/)
    await expect(query("select readfile('/etc/passwd')")).rejects.toThrow(/no such function/)
    expect(await query('select count(*) as n from orders')).toEqual([{ n: 3 }])
  })

  test('that never ends is stopped, and others run in the meantime', async () => {
    const { cpuMs } = datasetParser
    datasetParser.cpuMs = 1_000
    onTestFinished(() => {
      datasetParser.cpuMs = cpuMs
    })
    const endless = query('with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n')
    const outcome = endless.then(String, (error: Error) => error.message)
    expect(await query('select 1 as one', other)).toEqual([{ one: 1 }])
    expect(await outcome).toMatch(/more than 1 s of computing and was stopped/)
  })

  test('that needs too much memory is stopped', async () => {
    await expect(query('select length(randomblob(900000000)) as n')).rejects.toThrow(/memory|too big/)
    await expect(
      query(
        'with recursive n(i) as (select 1 union all select i + 1 from n limit 400000) select count(*) from (select group_concat(hex(randomblob(2000))) over () from n)',
      ),
    ).rejects.toThrow(/memory|stopped|too big/)
  })

  test('with many rows returns the first thousand, and says that there are more', async () => {
    const answer = await run(datasetQuery, {
      sql: 'with recursive n(i) as (select 1 union all select i + 1 from n limit 5000) select i, i as i from n',
    })
    expect(answer).toMatchObject({ totalRows: 1_000, truncated: true, columns: ['i', 'i_2'] })
  })
})

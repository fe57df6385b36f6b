import { describe, expect, test } from 'vitest'
import { makeOwner } from '../../../tests/support/owners'
import { invalidRequest } from '../../errors'
import { findHostedFile } from '../../files/read'
import type { AnyTool } from '../../tools/define'
import { datasetAppend } from './dataset_append'
import { datasetCreate } from './dataset_create'
import { datasetExport } from './dataset_export'
import { datasetQuery } from './dataset_query'

const homes = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: from + i, price: 1_000 * (from + i), address: { city: 'Alboraya' } }))

const OUTPUTS: Record<number, unknown> = {
  1: { rows: homes(0, 300), totalRows: 480 },
  2: { rows: homes(300, 180), totalRows: 480 },
  3: {
    videoId: 'v',
    segments: [
      { t: 0, text: 'Hello' },
      { t: 2, text: 'there' },
    ],
  },
  4: { stdout: 'city,homes\nA,3\nB,4\n', stderr: '' },
  5: { stdout: 'city,homes\nC,5\n', stderr: '' },
  6: { names: ['one', 'two'] },
  7: { property: { id: 7, price: 5 } },
  8: { rows: [{ URL: 'a', url: 'b', '': 1, ['x'.repeat(300)]: 2, 'line\nend': 3 }] },
  9: { rows: [Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`c${i}`, i]))] },
  10: 'This result was deleted 30 days after the conversation ended.',
  11: { stdout: '[{"a":1},{"a":2}]' },
  12: { rows: [] },
}

async function makeCallerOfTools() {
  const { id: ownerId } = await makeOwner()
  const run = async (tool: AnyTool, input: unknown, hasReadUntrusted = true): Promise<Record<string, unknown>> => {
    const context = {
      ...{ signal: new AbortController().signal, onSent: () => {}, spent: () => {}, ownerId, hasReadUntrusted },
      earlierOutput: (step: number) => {
        if (step in OUTPUTS) return OUTPUTS[step]
        throw invalidRequest([{ path: ['fromStep'], message: `step ${step} is missing` }])
      },
    }
    return tool.output.parse(await tool.run(tool.params.parse(input) as never, context)) as Record<string, unknown>
  }
  const query = async (sql: string) => (await run(datasetQuery, { sql })).rows
  return { run, query }
}

describe('a dataset from the results of earlier steps', () => {
  test('has every row of several results, with nested values as JSON', async () => {
    const { run, query } = await makeCallerOfTools()
    const made = await run(datasetCreate, { name: 'homes', fromStep: [1, 2] })
    expect(made).toMatchObject({ rowCount: 480 })
    expect(
      await query("select count(*) as n, sum(price) as total, min(address ->> 'city') as city from homes"),
    ).toEqual([{ n: 480, total: (1_000 * (479 * 480)) / 2, city: 'Alboraya' }])
  })

  test('grows by the rows of another result', async () => {
    const { run, query } = await makeCallerOfTools()
    await run(datasetCreate, { name: 'homes', fromStep: 1, path: 'rows' })
    expect(await run(datasetAppend, { name: 'homes', fromStep: 2 })).toMatchObject({ rowCount: 480 })
    expect(await query('select max(id) as last from homes')).toEqual([{ last: 479 }])
  })

  test.each([
    [
      'a transcript',
      { fromStep: 3 },
      'select t, text from d',
      [
        { t: 0, text: 'Hello' },
        { t: 2, text: 'there' },
      ],
    ],
    ['lines of a text', { fromStep: 4, path: 'stdout' }, 'select text from d where line = 2', [{ text: 'A,3' }]],
    [
      'CSV that a command printed',
      { fromStep: 4, path: 'stdout', textFormat: 'csv' },
      'select sum(homes) as n from d',
      [{ n: 7 }],
    ],
    [
      'CSV of two commands',
      { fromStep: [4, 5], path: 'stdout', textFormat: 'csv' },
      'select sum(homes) as n from d',
      [{ n: 12 }],
    ],
    ['JSON that a command printed', { fromStep: 11, path: 'stdout' }, 'select sum(a) as n from d', [{ n: 3 }]],
    ['plain values', { fromStep: 6 }, 'select value from d', [{ value: 'one' }, { value: 'two' }]],
    ['one object', { fromStep: 7, path: 'property' }, 'select price from d', [{ price: 5 }]],
  ])('can be %s', async (_what, given, sql, rows) => {
    const { run, query } = await makeCallerOfTools()
    await run(datasetCreate, { name: 'd', ...given })
    expect(await query(sql)).toEqual(rows)
  })

  test('has valid column names whatever the keys of a stranger’s rows are', async () => {
    const { run, query } = await makeCallerOfTools()
    const { columns } = await run(datasetCreate, { name: 'd', fromStep: 8 })
    expect((columns as { name: string }[]).map(({ name }) => name)).toEqual([
      'URL',
      'url_2',
      'column',
      'x'.repeat(94),
      'line end',
    ])
    const wide = await run(datasetCreate, { name: 'wide', fromStep: 9 })
    expect(wide.columns).toHaveLength(200)
    expect(await query("select c198, more ->> 'c249' as last from wide")).toEqual([{ c198: 198, last: 249 }])
  })

  test('is refused with what would work', async () => {
    const { run } = await makeCallerOfTools()
    const refusal = (given: object) => run(datasetCreate, { name: 'd', ...given })
    await expect(refusal({ fromStep: 99 })).rejects.toThrow(/step 99/)
    await expect(refusal({ fromStep: 1, path: 'homes' })).rejects.toThrow(/has: rows, totalRows/)
    await expect(refusal({ fromStep: 12 })).rejects.toThrow(/empty/)
    await expect(refusal({ fromStep: 1, rows: [{ a: 1 }] })).rejects.toThrow(/Give/)
    await expect(refusal({})).rejects.toThrow(/Give/)
  })
})

describe('a file of an earlier result', () => {
  const bytesOf = async ({ url }: Record<string, unknown>) => {
    const file = await findHostedFile(String(url).split('/').at(-1) ?? '')
    return new Response(await file?.open()).text()
  }

  test('has chosen columns and rows of all of it, in one call and without a dataset', async () => {
    const { run, query } = await makeCallerOfTools()
    const sql =
      "SELECT id, price / 1000.0 AS thousands, json_extract(address, '$.city') AS city FROM rows WHERE id >= 298 ORDER BY id DESC"
    const made = await run(datasetExport, { fromStep: [1, 2], sql })
    expect(made).toMatchObject({ rowCount: 182, made: true, foreignText: false })
    const lines = (await bytesOf(made))
      .trim()
      .split('\n')
      .map((line) => line.trim())
    expect(lines.slice(0, 2)).toEqual(['id,thousands,city', '479,479,Alboraya'])
    expect(lines).toHaveLength(183)
    await expect(query('SELECT * FROM rows')).rejects.toThrow(/no such table/)
  })

  test('has all of it without a statement, and what datasets add to it', async () => {
    const { run } = await makeCallerOfTools()
    expect(await run(datasetExport, { fromStep: 1 })).toMatchObject({ rowCount: 300 })
    await run(datasetCreate, { name: 'cities', rows: [{ city: 'Alboraya', country: 'es' }] })
    const sql = "SELECT id, country FROM rows JOIN cities ON city = json_extract(address, '$.city') LIMIT 2"
    const joined = await run(datasetExport, { fromStep: 1, sql, format: 'json' })
    expect(JSON.parse(await bytesOf(joined))).toEqual([
      { id: 0, country: 'es' },
      { id: 1, country: 'es' },
    ])
    // Outside of a run nobody knows that it was made here.
    expect(joined).toMatchObject({ made: false })
  })

  test.each([
    [{}, /Give name, or fromStep, sql or both/],
    [{ fromStep: 99 }, /step 99 is missing/],
    [{ fromStep: 1, sql: 'SELECT * FROM rows WHERE id < 0' }, /selects no rows/],
    [{ fromStep: 1, sql: 'SELECT absent FROM rows' }, /no such column/],
    [{ sql: 'DELETE FROM rows' }, /sql/],
  ])('is refused for %j', async (input, reason) => {
    const { run } = await makeCallerOfTools()
    await expect(run(datasetExport, input)).rejects.toThrow(reason)
  })
})

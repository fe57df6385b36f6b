import { describe, expect, test } from 'vitest'
import { agentTools } from '../../server/agent-tools/registry'
import type { AnyTool } from '../../server/tools/define'
import { makeTestAgent, type TestAgent } from '../support/agent-tool'
import { siteFiles } from '../support/sites'
import { withTemporaryStorage } from '../support/temporary-storage'

withTemporaryStorage()

const toolOf = (id: string): AnyTool => {
  const tool = agentTools().find((one) => one.id === id)
  if (!tool) throw new Error(`There is no tool ${id}.`)
  return tool
}

/** An act that destroys what `make` made; `look` shows that it still stands, or that it is gone. */
type Case = { make: [id: string, params: unknown][]; params: unknown; look: [id: string, params: unknown] }

let slug = 0
const site = (text: string) => ({ slug: `unasked-${slug}`, files: siteFiles(['index.html', text]) })
const fileInPod: [string, unknown] = ['pod_run', { command: 'echo old > f' }]
const readPod: [string, unknown] = ['pod_run', { command: 'cat f 2>&1; ls -A' }]
const dataset = (rows: unknown[]): [string, unknown] => ['dataset_create', { name: 'kept', rows }]
const readDataset: [string, unknown] = ['dataset_list', {}]
const readSites: [string, unknown] = ['site_list', {}]

const CASES: Record<string, () => Case> = {
  dataset_create: () => ({ make: [dataset([{ a: 1 }])], params: dataset([{ a: 1 }, { a: 2 }])[1], look: readDataset }),
  dataset_export: () => ({
    make: [fileInPod, dataset([{ a: 1 }])],
    params: { name: 'kept', toFile: 'f' },
    look: readPod,
  }),
  dataset_delete: () => ({ make: [dataset([{ a: 1 }])], params: { name: 'kept' }, look: readDataset }),
  pod_run: () => ({ make: [fileInPod], params: { command: 'echo new > f' }, look: readPod }),
  pod_write_file: () => ({ make: [fileInPod], params: { path: 'f', content: 'new' }, look: readPod }),
  pod_destroy: () => ({ make: [fileInPod], params: {}, look: readPod }),
  site_publish: () => ({ make: [['site_publish', site('one')]], params: site('two'), look: readSites }),
  site_rollback: () => ({
    make: [
      ['site_publish', site('one')],
      ['site_publish', site('two')],
    ],
    params: { slug: `unasked-${slug}`, version: 1 },
    look: readSites,
  }),
  site_take_down: () => ({
    make: [['site_publish', site('one')]],
    params: { slug: `unasked-${slug}` },
    look: readSites,
  }),
}

/** Its case needs a database of the owner's: `sql-query.test.ts` has it. */
const ELSEWHERE = new Set(['sql_query'])

const asking = agentTools().filter(({ id, asks }) => asks && !ELSEWHERE.has(id))

const lookAt = (me: TestAgent, [id, params]: Case['look']) => me.run(toolOf(id), params)

test('every tool that asks has a case here', () => {
  expect(asking.map(({ id }) => id).sort()).toEqual(Object.keys(CASES).sort())
})

describe.each(Object.entries(CASES))('%s', (id, caseOf) => {
  test('classified as harmless, then found to be destructive: it does nothing until a person is asked', async () => {
    slug += 1
    const { make, params, look } = caseOf()
    const me = await makeTestAgent()
    const act = toolOf(id)
    for (const [first, input] of make) await me.run(toolOf(first), input)
    const before = await lookAt(me, look)

    await expect(me.runUnasked(act, params)).rejects.toMatchObject({ code: 'conflict' })
    expect(await lookAt(me, look)).toEqual(before)

    expect(await me.asks(act, params)).toMatchObject({ summary: expect.stringMatching(/\S/) })
    await me.run(act, params)
    expect(await lookAt(me, look)).not.toEqual(before)
  })
})

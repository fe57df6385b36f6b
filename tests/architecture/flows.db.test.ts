import { beforeAll, describe, expect, test } from 'vitest'
import { sendingApproval } from '../../server/agent/run/approvals/sending'
import { BUILTIN_NAMES } from '../../server/agent/run/builtin-tools'
import { exampleInput } from '../../server/tools/example'
import type { Origin } from '../../server/tools/flow'
import { makeDataset } from '../support/dataset'
import { CARRIERS, everyTool, firstPending, KEPT, type MadeCall, RESULTS, runWith } from '../support/flow-run'
import { makeOwner } from '../support/owners'

/** Parameters whose value goes to a host, a reader or an author that the owner did not choose. */
const LEAVES = /^(url|urls|source|files|input|webhook|callbackUrl)$/

/** Tools of the outside world that bring no text of strangers, and why. */
const NO_STRANGERS: Record<string, string> = {
  image_generate: 'answers where the image is',
  video_generate: 'answers where the video is',
  site_list: 'lists names that this owner’s runs chose',
  site_publish: 'answers where the site is',
  site_rollback: 'answers where the site is',
  site_take_down: 'answers what was served',
  sql_query: 'reads the owner’s own database, which counts as private',
}

const SECRET = 'sk-live-51Hxk2eZvKYlo2C0aB3dE4fG'
const TEXT = 'a text'

let ownerId = 0
beforeAll(async () => {
  ownerId = (await makeOwner()).id
  await makeDataset(ownerId, 'customers', [{ a: 1 }])
})

/** Where a value that a run gets may be from: each tool with each kind of result, and people. */
type Source = { label: string; goal?: string; answers?: string[]; reads: MadeCall[]; origins: readonly Origin[] }

const sources: Source[] = [
  { label: 'the goal', goal: 'Read.', reads: [], origins: [] },
  { label: 'a secret in the goal', goal: `Use ${SECRET}.`, reads: [], origins: ['private'] },
  { label: 'a secret in an answer', answers: [`It is ${SECRET}`], reads: [], origins: ['private'] },
  ...BUILTIN_NAMES.map((name) => ({ label: name, reads: [{ name, output: {} }], origins: [] })),
  ...everyTool.flatMap(({ id: name, flow }): Source[] =>
    typeof flow.reads === 'function'
      ? (RESULTS[name] ?? []).map(({ output, origins }, i) => ({
          label: `${name} ${i + 1}`,
          reads: [{ name, output }],
          origins,
        }))
      : [{ label: name, reads: [{ name }], origins: flow.reads }],
  ),
]

const sinks = everyTool.flatMap((tool) => {
  const input = { ...CARRIERS, ...KEPT }[tool.id]?.(TEXT) ?? exampleInput(tool)
  return [{ tool, sink: tool.flow.sink, input }]
})

const COMPANIONS: { label: string; reads: MadeCall[]; origins: readonly Origin[] }[] = [
  { label: 'alone', reads: [], origins: [] },
  { label: 'with text by strangers', reads: [{ name: 'forum_search' }], origins: ['foreign'] },
  { label: 'with private data', reads: [{ name: 'sql_query' }], origins: ['private'] },
]

const approvalOf = async (run: ReturnType<typeof runWith>) => sendingApproval(run, firstPending(run))

describe.each(sinks.map((one) => [one.tool.id, one] as const))('into %s', (id, { tool, sink, input }) => {
  const leaves = sink.kind !== 'inside' && sink.kind !== 'provider'

  test.each(sources.map((source) => [source.label, source] as const))('from %s', async (_label, source) => {
    expect(tool.params.safeParse(input).error).toBeUndefined()
    for (const { label, reads, origins } of COMPANIONS) {
      const { goal, answers } = source
      const run = runWith({ ownerId, goal, answers, reads: [...source.reads, ...reads], calls: [{ name: id, input }] })
      const read = new Set([...source.origins, ...origins, ...(sink.kind === 'link' ? ['private'] : [])])
      const approval = await approvalOf(run)
      expect(approval !== null, label).toBe(leaves && read.has('foreign') && read.has('private'))
      if (approval) expect(approval.reason, label).toMatch(/Text by strangers it has read: .*Private data/)
    }
  })

  test('from a secret, wherever it is from', async () => {
    const carrier = CARRIERS[id]
    if (!leaves || !carrier || JSON.stringify(carrier(SECRET)) === JSON.stringify(carrier(TEXT))) return
    const calls = [{ name: id, input: carrier(SECRET) }]
    for (const goal of ['Work.', `Use ${SECRET}.`])
      expect((await approvalOf(runWith({ ownerId, goal, calls })))?.reason).toContain('sk-l…')
    const reads = [{ name: 'sql_query', output: { rows: [{ password: 'Tr0ub4dor' }] } }]
    const own = runWith({ ownerId, reads, calls: [{ name: id, input: carrier('Tr0ub4dor') }] })
    expect((await approvalOf(own))?.reason).toContain('Tr0u…')
  })
})

test.each(everyTool.flatMap((tool) => (tool.flow.sink.kind === 'provider' ? [[tool.id, tool] as const] : [])))(
  'a secret goes to the provider of %s only after approval',
  async (id, tool) => {
    const example = exampleInput(tool)
    const texts = Object.keys(tool.params.shape).filter((name) => {
      const given = { ...example, [name]: `about ${SECRET}` }
      return tool.params.safeParse(given).success
    })
    for (const name of texts) {
      const run = runWith({ ownerId, calls: [{ name: id, input: { ...example, [name]: `about ${SECRET}` } }] })
      expect((await approvalOf(run))?.reason, name).toContain('sk-l…')
    }
  },
)

describe.each(everyTool.map((tool) => [tool.id, tool] as const))('%s', (id, tool) => {
  test('has a result of each kind where its origin depends on it', () => {
    const { reads } = tool.flow
    if (typeof reads !== 'function') return
    const results = RESULTS[id] ?? []
    expect(results.length, 'in RESULTS of tests/support/flow-run.ts').toBeGreaterThan(1)
    for (const { output, origins } of results)
      expect([...reads(tool.output.parse(output) as never)].sort()).toEqual([...origins].sort())
  })

  test('has an input here where it sends something to somebody whom the owner did not choose', () => {
    const { kind } = tool.flow.sink
    const leaving = Object.keys(tool.params.shape).filter((name) => LEAVES.test(name))
    if (leaving.length > 0) expect(['inside', 'provider'], `${leaving} leave`).not.toContain(kind)
    if (kind !== 'inside' && kind !== 'provider')
      expect(tool.params.safeParse(CARRIERS[id]?.(TEXT)).success, 'in CARRIERS of tests/support/flow-run.ts').toBe(true)
  })

  test('reads text of strangers where it works with the outside world', () => {
    if (!tool.annotations.openWorld || Object.hasOwn(NO_STRANGERS, id)) return
    const { reads } = tool.flow
    expect(typeof reads === 'function' || reads.includes('foreign')).toBe(true)
  })
})

test('what is listed here is for tools that are there', () => {
  const ids = everyTool.map(({ id }) => id)
  for (const id of [NO_STRANGERS, RESULTS, CARRIERS, KEPT].flatMap(Object.keys)) expect(ids).toContain(id)
})

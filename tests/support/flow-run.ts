import { randomUUID } from 'node:crypto'
import type { AgentRun, RunStep } from '../../server/agent/run/state'
import { agentGroups } from '../../server/agent-tools/registry'
import { chatModels } from '../../server/models/registry'
import type { AnyTool } from '../../server/tools/define'
import type { Origin } from '../../server/tools/flow'

/** Every tool that agents can have anywhere, configured here or not. */
export const everyTool: readonly AnyTool[] = agentGroups().flatMap(({ tools }) => tools)

/** A call with its result, as a step of a run has it. */
export type MadeCall = { name: string; input?: unknown; output?: unknown }

type Given = { ownerId: number; goal?: string; answers?: string[]; reads?: MadeCall[]; calls: MadeCall[] }

/**
 * A run that has read something, and whose model has now made calls, which are pending. Rows as
 * `readRunRows` returns them.
 */
export function runWith({ ownerId, goal = 'Work.', answers = [], reads = [], calls }: Given): AgentRun {
  const runId = randomUUID()
  const [model] = chatModels()
  if (!model) throw new Error('There is no chat model.')
  const steps: RunStep[] = []
  const add = (step: Partial<RunStep> & Pick<RunStep, 'kind' | 'name'>) =>
    steps.push({ index: steps.length, runId, input: null, output: null, error: null, charged: 0, ...step })
  const addModelStep = (made: readonly MadeCall[]) =>
    add({
      kind: 'model',
      name: model.id,
      output: {
        ...{ agent: 'general', text: '', inputTokens: 1, outputTokens: 1, estimated: false },
        calls: made.map(({ name, input }) => ({ name, arguments: JSON.stringify(input ?? {}) })),
      },
    })
  for (const answer of answers) add({ kind: 'question', name: 'ask_user', output: { answer } })
  if (reads.length > 0) addModelStep(reads)
  for (const { name, input, output } of reads) add({ kind: 'tool', name, input: input ?? {}, output: output ?? {} })
  addModelStep(calls)
  const turns = [
    {
      runId,
      number: 1,
      goal,
      status: 'running' as const,
      result: null,
      attachments: [],
      checks: null,
      startedAt: new Date(),
    },
  ]
  return {
    ...{
      jobId: randomUUID(),
      runId,
      ownerId,
      keyId: 0,
      customerId: null,
      personId: null,
      scheduleId: null,
      usesNotes: true,
      fencingToken: 1,
      attempts: 1,
      mode: 'autonomous',
      model,
      summaryModel: null,
      goal,
    },
    ...{
      firstAgent: 'general',
      historyTurnLimit: null,
      spendLimitCredits: 1_000,
      stopAtCredits: null,
      outputSchema: null,
      checks: null,
    },
    ...{ turns, steps, answers: new Map(), permissions: {}, tools: everyTool, limitReached: null, traceparent: null },
    settings: { defaultModel: null, disabledTools: [], outsideApproval: 'ask', autoModel: false, databaseLabel: null },
    startedAt: new Date(),
  }
}

/** The index of the first pending call of `runWith`. */
export const firstPending = ({ steps }: AgentRun): number => steps.length

const dataset = { name: 'customers', made: false, foreignText: false }

/** Results of the tools whose origin depends on them, with where they are from. */
export const RESULTS: Record<string, { output: Record<string, unknown>; origins: readonly Origin[] }[]> = {
  dataset_query: [
    { output: rowsOf(dataset), origins: ['private'] },
    { output: rowsOf({ ...dataset, foreignText: true }), origins: ['private', 'foreign'] },
    { output: rowsOf({ ...dataset, made: true, foreignText: true }), origins: [] },
  ],
  dataset_list: [
    { output: listOf(dataset), origins: ['private'] },
    { output: listOf({ ...dataset, foreignText: true }), origins: ['private', 'foreign'] },
    { output: listOf({ ...dataset, made: true }), origins: [] },
  ],
  dataset_export: [
    {
      output: { url: 'https://x.example/f', file: null, bytes: 1, rowCount: 1, made: false, foreignText: false },
      origins: ['private'],
    },
    {
      output: { url: 'https://x.example/f', file: null, bytes: 1, rowCount: 1, made: true, foreignText: false },
      origins: [],
    },
  ],
  dataset_append: [
    { output: { name: 'customers', columns: [], rowCount: 1, made: false }, origins: ['private', 'foreign'] },
    { output: { name: 'customers', columns: [], rowCount: 1, made: true }, origins: [] },
  ],
  site_list: [
    { output: { sites: [{ slug: 'abc', url: 'x', live: null, versions: [] }] }, origins: ['private'] },
    { output: { sites: [{ slug: 'abc', url: 'x', live: 1, versions: [] }] }, origins: [] },
  ],
  site_read: [
    { output: { url: 'x', version: 1, isLive: false, content: 'x' }, origins: ['foreign', 'private'] },
    { output: { url: 'x', version: 1, isLive: true, content: 'x' }, origins: ['foreign'] },
  ],
}

function rowsOf(read: typeof dataset) {
  return { columns: ['a'], rows: [{ a: 1 }], totalRows: 1, truncated: false, nextCursor: null, datasets: [read] }
}

function listOf(read: typeof dataset) {
  const at = '2026-01-01T00:00:00.000Z'
  return { rows: [{ ...read, columns: [], rowCount: 1, createdAt: at, updatedAt: at }], nextCursor: null }
}

/** Inputs that stay with the owner, for every tool whose input does. */
export const KEPT: Record<string, (text: string) => Record<string, unknown>> = {
  dataset_create: (text) => ({ name: 'notes', rows: [{ text }] }),
  dataset_append: (text) => ({ name: 'notes', rows: [{ text }] }),
  dataset_query: (text) => ({ sql: `select '${text}'` }),
  dataset_list: () => ({}),
  dataset_delete: () => ({ name: 'notes' }),
  sql_query: (text) => ({ sql: `select '${text}'` }),
  site_list: () => ({}),
  site_read: () => ({ slug: 'my-notes' }),
  site_take_down: () => ({ slug: 'my-notes' }),
  pod_run: (text) => ({ command: `echo '${text}'` }),
  pod_write_file: (text) => ({ path: 'a.txt', content: text }),
  pod_read_file: () => ({ path: 'a.txt' }),
  pod_list_files: () => ({}),
  pod_destroy: () => ({}),
}

/** Inputs that carry a text to somebody outside, for every tool that can. */
export const CARRIERS: Record<string, (text: string) => Record<string, unknown>> = {
  web_read_url: (text) => ({ url: `https://outside.example/?q=${encodeURIComponent(text)}` }),
  web_screenshot: (text) => ({ url: `https://outside.example/?q=${encodeURIComponent(text)}` }),
  image_analyze: (text) => ({ source: `https://outside.example/${encodeURIComponent(text)}.png` }),
  marketplace_run_actor: (text) => ({ actorId: 'acme/places', input: { query: text } }),
  site_publish: (text) => ({ slug: 'my-notes', files: [{ path: 'index.html', content: `<p>${text}</p>` }] }),
  site_rollback: () => ({ slug: 'my-notes', version: 1 }),
  dataset_export: () => ({ name: 'customers' }),
}

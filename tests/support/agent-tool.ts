import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { prisma } from '../../server/db'
import type { AnyTool, Approval } from '../../server/tools/define'
import { makeOwner } from './owners'

/** An owner in a conversation, calling the tools that only agents have. */
export type TestAgent = {
  ownerId: number
  jobId: string
  /** The approval that a call needs; null: none. */
  asks: (tool: AnyTool, params?: unknown) => Promise<Approval | null>
  /**
   * The call as a run makes it: approved if something was asked. The result is checked against what
   * the tool declares.
   */
  run: <T = Record<string, unknown>>(tool: AnyTool, params?: unknown) => Promise<T>
  /** The call without approval, as when it was not found destructive. */
  runUnasked: (tool: AnyTool, params?: unknown) => Promise<unknown>
}

/**
 * With `isOneRun` all calls are of one run, else each is of the next run of the conversation; with
 * `inJob` they belong to a conversation that is there.
 */
export async function makeTestAgent(ownerId?: number, isOneRun = false, inJob?: string): Promise<TestAgent> {
  const owner = ownerId ?? (await makeOwner(0)).id
  const jobId = inJob ?? randomUUID()
  const conversation: string[] = []
  const newRun = () => {
    conversation.push(randomUUID())
    return { id: conversation.at(-1) ?? '', conversation }
  }
  const oneRun = isOneRun ? newRun() : null
  if (!inJob) {
    await prisma().job.create({
      data: { id: jobId, ownerId: owner, title: 'test', status: 'running', runId: randomUUID() },
    })
  }
  const asks = async (tool: AnyTool, params: unknown = {}) =>
    (await tool.asks?.(tool.params.parse(params) as never, { ownerId: owner, jobId, run: oneRun ?? newRun() })) ?? null
  const call = (tool: AnyTool, params: unknown, approved: boolean) => {
    const signal = AbortSignal.timeout(30_000)
    const run = oneRun ?? newRun()
    const context = { signal, onSent: () => {}, spent: () => {}, ownerId: owner, jobId, run, approved }
    return tool.run(tool.params.parse(params) as never, context)
  }
  return {
    ownerId: owner,
    jobId,
    asks,
    runUnasked: (tool, params = {}) => call(tool, params, false),
    run: async <T>(tool: AnyTool, params: unknown = {}) => {
      const result = await call(tool, params, (await asks(tool, params)) !== null)
      expect(tool.output.parse(result)).toEqual(result)
      return result as T
    },
  }
}

import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { AnyTool, Approval } from '../../server/tools/define'
import { makeOwner } from './make'

/** An owner in a conversation, and how its agent calls tools that only agents have. */
export type TestAgent = {
  ownerId: number
  conversationId: string
  /** What a person is asked first. */
  asks: (tool: AnyTool, params?: unknown) => Promise<Approval | null>
  /** The call itself, as after an approval. The result is checked against what the tool declares. */
  run: <T = Record<string, unknown>>(tool: AnyTool, params?: unknown) => Promise<T>
}

export async function makeAgent(ownerId?: number): Promise<TestAgent> {
  const owner = ownerId ?? (await makeOwner(0)).id
  const conversationId = randomUUID()
  return {
    ownerId: owner,
    conversationId,
    asks: async (tool, params = {}) =>
      (await tool.asks?.(tool.params.parse(params) as never, { ownerId: owner, conversationId })) ?? null,
    run: async <T>(tool: AnyTool, params: unknown = {}) => {
      const signal = AbortSignal.timeout(30_000)
      const context = { signal, accepted: () => {}, spent: () => {}, ownerId: owner, conversationId }
      const result = await tool.run(tool.params.parse(params) as never, context)
      expect(tool.output.parse(result)).toEqual(result)
      return result as T
    },
  }
}

import { expect } from 'vitest'
import { AppError } from '../../server/errors'
import type { AnyTool } from '../../server/tools/define'

export type ToolRun = { result: Record<string, unknown>; accepted: boolean; spentUsd: number[] }

/**
 * One call of a tool without handlers and ledger. The result must be all that its output schema
 * declares, and no more.
 */
export async function runToolUnbilled(
  tool: AnyTool,
  params: unknown,
  signal = AbortSignal.timeout(30_000),
): Promise<ToolRun> {
  const ran: ToolRun = { result: {}, accepted: false, spentUsd: [] }
  const result = await tool.run(tool.params.parse(params) as never, {
    signal,
    ownerId: 1,
    onSent: () => {
      ran.accepted = true
    },
    spent: (costUsd) => {
      ran.spentUsd.push(costUsd)
    },
  })
  expect(tool.output.parse(result)).toEqual(result)
  ran.result = result as Record<string, unknown>
  return ran
}

/** The result of such a call alone. */
export const toolResult = async (tool: AnyTool, params: unknown, signal?: AbortSignal) =>
  (await runToolUnbilled(tool, params, signal)).result

/** What a run fails with: one of our errors, which names no secret. */
export async function toolFailureOf(run: Promise<unknown>): Promise<AppError> {
  const error: unknown = await run.then(
    () => expect.unreachable('it should have failed'),
    (e) => e,
  )
  if (!(error instanceof AppError)) throw error
  expect(error.message).not.toMatch(/a-secret|rapidapi|apify|token/i)
  return error
}

/** Every page of a paged tool, first to last, by its cursor parameter. */
export async function allPages<T>(
  fetchPage: (cursor: string | undefined) => Promise<{ rows: T[]; nextCursor: string | null }>,
): Promise<T[][]> {
  const pages: T[][] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    expect(pages.length, 'pages without end').toBeLessThan(100)
    const page: { rows: T[]; nextCursor: string | null } = await fetchPage(cursor)
    pages.push(page.rows)
    cursor = page.nextCursor
  }
  return pages
}

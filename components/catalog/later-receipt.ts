import type { TRPCClient } from '@trpc/client'
import type { AppRouter } from '@/server/api/router'

/** The charge of a run that was abandoned. */
export type LaterReceipt = { charged: number; requestId: string }

/**
 * Finds the receipt of a run that is about to begin and may be abandoned: remembers the newest
 * receipt of its tool before it, and returns what waits some seconds for a newer one. Null: none
 * came.
 */
export function laterReceipt(client: Pick<TRPCClient<AppRouter>, 'usage'>, tool: string) {
  const newest = async () => {
    const { rows } = await client.usage.list.query({ what: tool, limit: 20 })
    return rows
      .filter(({ channel }) => channel === 'playground')
      .sort((a, b) => (a.requestId < b.requestId ? 1 : -1))[0]
  }
  const before = newest().then(
    (receipt) => receipt?.requestId ?? '',
    () => null,
  )
  return async (): Promise<LaterReceipt | null> => {
    const last = await before
    for (let attempts = 0; last !== null && attempts < 12; attempts++) {
      await new Promise((resolve) => setTimeout(resolve, 250))
      const receipt = await newest().catch(() => undefined)
      if (receipt && receipt.requestId > last) return { charged: receipt.credits.charged, requestId: receipt.requestId }
    }
    return null
  }
}

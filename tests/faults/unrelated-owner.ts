import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../bench/table'
import { type ClientCall, chargeInBody, parseJsonObject, sendCall } from './call'

/** What an owner with nothing to do with a fault got while it lasted. */
export type ServiceLevel = { calls: number; served: number; p50: number; p99: number; max: number; errors: string[] }

/** Sums up some calls. Times are milliseconds, of all calls, whatever their answers. */
export function serviceLevelOf(calls: readonly ClientCall[]): ServiceLevel {
  const times = calls.map(({ ms }) => ms).sort((a, b) => a - b)
  const failed = calls.filter(({ isDelivered }) => !isDelivered)
  return {
    calls: calls.length,
    served: calls.length - failed.length,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    max: times.at(-1) ?? Number.NaN,
    errors: [...new Set(failed.map(({ outcome, note }) => `${outcome}: ${note.slice(0, 120)}`))],
  }
}

/** Four callers of a cheap billed tool that needs no provider, each on one web process. */
export async function keepReadingPage(
  { web, key, pageUrl }: { web: string; key: string; pageUrl: string },
  calls: ClientCall[],
  isOver: () => boolean,
): Promise<void> {
  const caller = async () => {
    while (!isOver()) {
      const body = { tool: 'web_read_url', params: { url: pageUrl } }
      calls.push(
        await sendCall({ url: `${web}/api/v1/query`, key, body }, (text, status) => ({
          charged: chargeInBody(parseJsonObject(text)),
          isDelivered: status === 200,
        })),
      )
      await sleep(400)
    }
  }
  await Promise.all([caller(), caller(), caller(), caller()])
}

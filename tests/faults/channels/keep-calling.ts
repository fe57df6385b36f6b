import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientCall } from '../call'
import type { ClientRecord, Traffic } from './define'

const PAUSE_MS = 300
const PAUSE_AFTER_ERROR_MS = 400

/**
 * Keeps one call of each kind in flight, alternating between web processes, until the traffic is
 * over. Resolves when the last answer is in.
 */
export async function keepCalling(
  kinds: readonly ((web: string) => Promise<ClientCall>)[],
  { webs, isOver, isDraining }: Traffic,
  seen: ClientRecord,
): Promise<void> {
  const caller = async (call: (web: string) => Promise<ClientCall>, index: number) => {
    const web = webs[index % webs.length] ?? ''
    while (!isOver()) {
      if (isDraining(web)) {
        await sleep(PAUSE_MS)
        continue
      }
      const record = await call(web)
      seen.calls.push(record)
      await sleep(record.isDelivered ? PAUSE_MS : PAUSE_AFTER_ERROR_MS)
    }
  }
  await Promise.all(kinds.flatMap((call, k) => webs.map((_, w) => caller(call, k + w))))
}

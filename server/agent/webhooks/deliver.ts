import pLimit from 'p-limit'
import { log } from '../../kit/log'
import { countDelivery } from '../metrics'
import { attemptDelivery, attemptTimeoutMs } from './attempt'
import { type ClaimedDelivery, claimDelivery, recordAttempt } from './claim'

/** Deliveries of one owner that are sent at the same time, and those of them to one host. */
const LANES = 4
const LANES_PER_HOST = 3
/** Deliveries to one host that this process sends at the same time, whoever's they are. */
const PER_HOST = 8
/** After this long an owner's turn is over: what is left waits for the next one. */
const TURN_MS = 5_000

/** Deliveries by host that this process is sending. */
const sending = new Map<string, number>()

const change = (counts: Map<string, number>, host: string, by: number) => {
  const count = (counts.get(host) ?? 0) + by
  if (count > 0) counts.set(host, count)
  else counts.delete(host)
}

const fullHosts = (counts: Map<string, number>, most: number) =>
  [...counts].filter(([, count]) => count >= most).map(([host]) => host)

/** One claim after another, so that each knows the hosts of those before it. */
const claiming = pLimit(1)

/** A delivery that may be sent now, counted with its host. Null when nothing may be sent. */
const claimNext = (ownerId: number, mine: Map<string, number>): Promise<ClaimedDelivery | null> =>
  claiming(async () => {
    const busy = [...fullHosts(mine, LANES_PER_HOST), ...fullHosts(sending, PER_HOST)]
    const delivery = await claimDelivery(ownerId, busy, attemptTimeoutMs())
    if (delivery) for (const counts of [mine, sending]) change(counts, delivery.host, 1)
    return delivery
  })

/**
 * One turn of an owner: sends deliveries that are due, a few at a time, until none is left or the
 * turn is over. A receiver that does not answer takes one lane, for a bounded time.
 */
export async function deliverForOwner(ownerId: number, stopping: AbortSignal): Promise<void> {
  const mine = new Map<string, number>()
  const over = AbortSignal.any([stopping, AbortSignal.timeout(TURN_MS)])
  const lane = async () => {
    while (!over.aborted) {
      const delivery = await claimNext(ownerId, mine)
      if (!delivery) return
      try {
        const outcome = await attemptDelivery(delivery)
        await recordAttempt(delivery, outcome)
        countDelivery(outcome.status)
        log.info({ of: delivery.of, delivery: delivery.id, outcome: outcome.status }, 'webhook')
      } finally {
        for (const counts of [mine, sending]) change(counts, delivery.host, -1)
      }
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

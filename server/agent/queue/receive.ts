import type { PgBoss, WorkOptions } from 'pg-boss'
import { log } from '../../kit/log'

/**
 * How many ask a queue for its next message. A new message wakes them all, and each of them asks
 * by itself, so there are no more than the queue has connections.
 */
const WAITING = 4

type Receiving<T> = {
  /** Messages that are handled at once. */
  max: number
  options: WorkOptions
  /** Aborts when no further message is to be received. */
  stop: AbortSignal
  handle: (data: T) => Promise<void>
}

/**
 * Receives the messages of a queue. One that asks is replaced as soon as it has a message, and ends
 * with it: the queue's package would let it pause after that, with messages waiting.
 */
export function receiveMessages<T extends object>(
  boss: PgBoss,
  queue: string,
  { max, options, stop, handle }: Receiving<T>,
): void {
  let waiting = 0
  let handling = 0

  const ask = async (): Promise<void> => {
    const receiver = { id: '' }
    waiting++
    receiver.id = await boss.work<T>(queue, options, async ([message]) => {
      waiting--
      handling++
      refill()
      try {
        if (message) await handle(message.data)
      } finally {
        handling--
        await boss.offWork(queue, { id: receiver.id, wait: false })
        refill()
      }
    })
  }
  const refill = () => {
    while (!stop.aborted && waiting < WAITING && waiting + handling < max) {
      ask().catch((error: Error) => {
        waiting--
        log.error({ queue, err: error.message }, 'the queue is not asked')
      })
    }
  }
  refill()
}

import { once } from '../../../kit/once'

/** Commands that run at the same time in one process; others wait in line. */
const AT_ONCE = 4

const slots = () => once('pod-slots', () => ({ free: AT_ONCE, waiting: [] as (() => void)[] }))

/** Does some work when there is a slot for it. Throws the signal's reason when that aborts before. */
export async function inSlot<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  await take(signal)
  try {
    return await work()
  } finally {
    // A slot goes to the next in line without ever being free.
    const next = slots().waiting.shift()
    if (next) next()
    else slots().free++
  }
}

async function take(signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  const { waiting } = slots()
  if (slots().free > 0) {
    slots().free--
    return
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const leave = () => {
    const at = waiting.indexOf(resolve)
    // Whoever has its turn already keeps it.
    if (at >= 0) reject(waiting.splice(at, 1) && signal?.reason)
  }
  waiting.push(resolve)
  signal?.addEventListener('abort', leave, { once: true })
  await promise.finally(() => signal?.removeEventListener('abort', leave))
}

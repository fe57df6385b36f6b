import { uuidv7 } from '../kit/id'
import { log } from '../kit/log'
import { transact } from './transact'

/** The lease lasts 45 s; one that could not be renewed is tried again soon, so that it rarely ends. */
const RENEW_MS = 10_000
const RETRY_MS = 1_000

const id = uuidv7()

/** The id under which this process holds credits. */
export const holderId = (): string => id

/** Renews this process's lease, so that its holds stay while it lives. Returns what stops it. */
export function startLeaseRenewal(): () => void {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const renew = async () => {
    const renewed = await transact('credits_renew', 'SELECT credits_renew($1)', [holderId()]).then(
      () => true,
      (err: Error) => {
        log.error({ err: err.message }, 'lease not renewed')
        return false
      },
    )
    if (stopped) return
    timer = setTimeout(renew, renewed ? RENEW_MS : RETRY_MS)
    timer.unref()
  }
  void renew()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

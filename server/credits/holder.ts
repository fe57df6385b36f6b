import { runStatement } from '../db'
import { uuidv7 } from '../kit/id'
import { log } from '../kit/log'
import { statement } from '../kit/statement'

/**
 * The lease lasts 45 s; one that could not be renewed is tried again soon, so that it rarely ends.
 */
const RENEW_MS = 10_000
const RETRY_MS = 1_000

const RENEW = statement({
  name: 'credits_renew',
  sql: 'SELECT credits_renew($1)',
  params: ['uuid'],
  columns: { credits_renew: 'void' },
  isPrepared: true,
})

const id = uuidv7()

/** The id under which this process holds credits. */
export const holderId = (): string => id

/** The renewal of this process's lease as a statement, for the watchdog's thread. */
export const renewLeaseStatement = (): { sql: string; values: [string] } => ({
  sql: RENEW.text,
  values: [holderId()],
})

/** Renews this process's lease, so that its holds stay while it lives. Returns what stops it. */
export function startLeaseRenewal(): () => void {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const renew = async () => {
    const renewed = await runStatement(RENEW, [holderId()]).then(
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

import { uuidv7 } from '../kit/id'
import { log } from '../kit/log'
import { once } from '../kit/once'
import { settleWaiting } from './settle'
import { transact } from './transact'

/** The id under which this process holds credits. */
export const holderId = (): string => once('holder', () => uuidv7())

/**
 * Renews this process's lease every 15 s, so that its holds stand while it lives, and writes settlements that had to
 * wait for the database. Answers what stops it.
 */
export function keepLease(): () => void {
  const renew = () =>
    transact('credits_renew', 'SELECT credits_renew($1)', [holderId()])
      .then(settleWaiting)
      .catch((err: Error) => log.error({ err: err.message }, 'lease not renewed'))
  void renew()
  const timer = setInterval(renew, 15_000)
  timer.unref()
  return () => clearInterval(timer)
}

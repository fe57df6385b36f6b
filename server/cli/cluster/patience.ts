import type { Env } from '../../env'
import { log } from '../../kit/log'

/** Longer than a process takes to finish its longest call and to write its settlements. */
const LEAVE_MS = 360_000

/** How long a process that was asked to end is waited for, milliseconds. */
export const leaveMsOf = ({ DRAIN_DELAY_S }: Pick<Env, 'DRAIN_DELAY_S'>): number => LEAVE_MS + DRAIN_DELAY_S * 1_000

type Leaving = {
  process: { pid?: number; kill: (signal: NodeJS.Signals) => boolean }
  ended: Promise<unknown>
  leaveMs: number
  onKill?: () => void
}

/**
 * Waits for a process that was asked to end. Kills it where it has not after `leaveMs`: it hangs,
 * and whoever waits for it would wait for good.
 */
export async function endOrKill({ process, ended, leaveMs, onKill }: Leaving): Promise<void> {
  const timer = setTimeout(() => {
    log.error({ pid: process.pid, afterS: leaveMs / 1_000 }, 'a process did not end when asked, and is killed')
    onKill?.()
    process.kill('SIGKILL')
  }, leaveMs)
  await ended
  clearTimeout(timer)
}

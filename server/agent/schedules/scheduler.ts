import { log } from '../../kit/log'
import { startDueRuns } from './due'
import { endFinishedRuns } from './end-run'
import { answerUnanswered } from './waiting'

const INTERVAL_MS = 2_000

/**
 * Starts the runs of schedules when they are due, and counts their outcomes. Every worker does
 * this; each time is started once. Returns a function that stops it.
 */
export function startScheduler(): () => void {
  let isBusy = false
  let isStopped = false
  const look = async () => {
    if (isBusy || isStopped) return
    isBusy = true
    try {
      // First what ended: a run that is over is in nobody's way.
      await endFinishedRuns()
      await answerUnanswered()
      await startDueRuns()
    } catch (error) {
      if (!isStopped) log.error({ err: (error as Error).message }, 'schedules were not looked at')
    } finally {
      isBusy = false
    }
  }
  const timer = setInterval(look, INTERVAL_MS)
  timer.unref()
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}

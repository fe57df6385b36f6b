import { log } from '../kit/log'
import { metrics } from '../kit/metrics'
import { transact } from './transact'

/** Voids the holds of dead processes. Answers how many there were and the credits they held. */
export async function sweep(): Promise<{ swept: number; credits: number }> {
  let total = { swept: 0, credits: 0 }
  for (;;) {
    const [row] = await transact<{ swept: number; credits: string }>(
      'credits_sweep',
      'SELECT * FROM credits_sweep()',
      [],
    )
    const swept = row?.swept ?? 0
    total = { swept: total.swept + swept, credits: total.credits + Number(row?.credits ?? 0) }
    metrics().swept.inc(swept)
    if (swept > 0) log.warn({ swept, credits: Number(row?.credits ?? 0) }, 'voided holds of a dead process')
    if (swept < 500) return total
  }
}

/** Sweeps every 15 s, so that a dead process's holds are void within 60 s + one sweep. Answers what stops it. */
export function keepSweeping(): () => void {
  const run = () => sweep().catch((err: Error) => log.error({ err: err.message }, 'sweep failed'))
  void run()
  const timer = setInterval(run, 15_000)
  timer.unref()
  return () => clearInterval(timer)
}

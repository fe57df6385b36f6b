import type { AuditCell } from '../faults/audit'
import type { Fault } from '../faults/faults'
import type { RestartableCommand } from '../faults/npm-process'
import { faultFindings } from '../faults/report'
import { runRound, type TestedService } from '../faults/run-round'
import type { Layout } from './layout'

type Reported = { cells: AuditCell[]; problems: string[] }

/** Runs a round and prints what each channel saw. */
export async function runReportedRound<C extends TestedService>(
  cluster: C,
  fault: Fault<C>,
  say: (line: string) => void,
): Promise<Reported> {
  // Starting processes takes the cores that calls need: how long those take is not looked at.
  const round = await runRound(cluster, fault, { maxUnrelatedMs: Number.POSITIVE_INFINITY })
  for (const { channel, calls, delivered, unavailable, cut, pauseS } of round.cells) {
    const failed = `${unavailable} unavailable, ${cut} cut`
    say(`${fault.name}, ${channel}: ${delivered} of ${calls} delivered, ${failed}, ${pauseS.toFixed(1)} s without one`)
  }
  const failing = fault.part === 'database' ? [] : round.cells.filter(({ calls, delivered }) => delivered < calls)
  const lost = failing.map(({ channel, calls, delivered }) => `${fault.name}, ${channel}: ${calls - delivered} failed`)
  return { cells: round.cells, problems: [...faultFindings(round), ...lost] }
}

const restart = async (process: RestartableCommand): Promise<void> => {
  process.signal('SIGTERM')
  await process.ended()
  await process.start()
}

/** What a deployment does: no call may fail meanwhile. */
export const rollingRestarts: readonly Fault<Layout>[] = [
  {
    name: 'web processes restarted one by one',
    part: 'web',
    mayCut: false,
    unavailable: () => null,
    happen: async ({ services, leaveOut }) => {
      for (const web of services.web) {
        await leaveOut?.(web)
        await restart(web)
        await leaveOut?.(null)
      }
    },
  },
  {
    name: 'workers restarted one by one',
    part: 'worker',
    mayCut: false,
    unavailable: () => null,
    happen: async ({ services }) => {
      for (const worker of services.worker) await restart(worker)
    },
  },
]

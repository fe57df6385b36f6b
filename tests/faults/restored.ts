import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataPath } from '../../server/cli/kit/project'
import { runAdmin } from '../support/admin-process'
import { expireLeases } from '../support/ledger'
import type { Fault } from './faults'
import { startAgain } from './npm-process'
import type { LostTime } from './one-call'

async function admin(args: readonly string[], env: Record<string, string>): Promise<void> {
  const { code, stdout, stderr } = await runAdmin(args, { env })
  if (code !== 0) throw new Error(`${args.join(' ')} failed: ${stdout}${stderr}`)
}

/**
 * A backup is made under traffic; later every process is killed, the backup takes the database's
 * place, and all start again with the journals that they left.
 */
export function restoredFault(name: string, afterMs: number): Fault {
  let lost: LostTime | null = null
  return {
    name,
    part: 'database',
    mayCut: true,
    unavailable: () => null,
    lost: () => lost,
    happen: async ({ web, worker, env }) => {
      const folder = dataPath(`backup-of-${process.pid}`)
      const from = Date.now()
      await admin(['backup', '--to', folder, '--no-files'], env)
      await sleep(afterMs)
      const processes = [...web, ...worker]
      for (const each of processes) each.signal('SIGKILL')
      await Promise.all(processes.map((each) => each.ended()))
      // A restore waits until nobody has a lease.
      await expireLeases()
      await admin(['restore', '--from', folder, '--no-files', '--replace'], env)
      rmSync(folder, { recursive: true })
      await Promise.all(processes.map(startAgain))
      lost = { from, to: Date.now() }
    },
  }
}

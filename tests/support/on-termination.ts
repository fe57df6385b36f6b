import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** What is to be ended when this process is told to stop before its tests are over. */
const cleanUps = new Set<() => void>()

/**
 * Calls `cleanUp`, which must not wait for anything, when SIGTERM ends this process early: `npm test` sends it on Ctrl-C.
 * For what this process has started in a process group of its own, which the signal does not reach.
 */
export function onTermination(cleanUp: () => void): void {
  if (cleanUps.size === 0) process.once('SIGTERM', endEverything)
  cleanUps.add(cleanUp)
}

/** Tells an embedded PostgreSQL to end its sessions and stop, without waiting for it, unless others use it too. */
export function endPostgresNow({ data, usersFolder }: { data: string; usersFolder: string }): void {
  const users = readdirSync(usersFolder).filter((pid) => Number(pid) !== process.pid && existsSync(`/proc/${pid}`))
  if (users.length > 0) return
  const [pid] = readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')
  process.kill(Number(pid), 'SIGINT')
  // A test may have frozen it.
  process.kill(Number(pid), 'SIGCONT')
}

function endEverything(): void {
  for (const cleanUp of cleanUps) {
    try {
      cleanUp()
    } catch {
      // It has ended by itself; the others still have to.
    }
  }
  // Vitest replaces process.exit in its workers.
  process.kill(process.pid, 'SIGKILL')
}

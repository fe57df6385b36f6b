import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** What to end when this process is stopped before its tests are over. */
const cleanUps = new Set<() => void>()

/**
 * Calls `cleanUp`, which must not wait for anything, when SIGTERM ends this process early: `npm
 * test` sends it on Ctrl-C. For what this process has started in a separate process group, which
 * the signal does not reach.
 */
export function onTermination(cleanUp: () => void): void {
  if (cleanUps.size === 0) process.once('SIGTERM', endEverything)
  cleanUps.add(cleanUp)
}

/** Stops an embedded PostgreSQL without waiting for it, unless other processes use it too. */
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

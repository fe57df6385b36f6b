import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { identifyProcess, isProcessAlive, type ProcessIdentity } from './process'
import { CliError } from './project'

function holderOf(file: string): ProcessIdentity | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity
  } catch {
    return null
  }
}

/**
 * Takes the lock when nobody has it. A link fails when the name exists, and the file is complete
 * when it appears.
 */
function tryTake(file: string): boolean {
  const mine = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
  writeFileSync(mine, JSON.stringify(identifyProcess(process.pid)))
  try {
    linkSync(mine, file)
    return true
  } catch {
    return false
  } finally {
    rmSync(mine, { force: true })
  }
}

/**
 * Moves a dead process's lock out of the way; the rename lets exactly one of several waiters do it.
 */
function clearDead(file: string, dead: ProcessIdentity): void {
  const aside = `${file}.dead-${dead.pid}-${process.pid}`
  try {
    renameSync(file, aside)
    const moved = holderOf(aside)
    // Someone else cleared it and took the lock between our look and our rename: give it back.
    if (moved && isProcessAlive(moved)) linkSync(aside, file)
  } catch {
    // Another waiter was first.
  } finally {
    rmSync(aside, { force: true })
  }
}

/**
 * Runs `work` alone among all processes that use the same lock file. A killed holder's lock is
 * taken over.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>, patienceMs = 60_000): Promise<T> {
  for (let waited = 0; !tryTake(file); waited += 50) {
    const holder = holderOf(file)
    if (holder && !isProcessAlive(holder)) clearDead(file, holder)
    else await sleep(50)
    if (waited > patienceMs) throw new CliError(`Process ${holder?.pid ?? '?'} has held ${file} for too long; end it.`)
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

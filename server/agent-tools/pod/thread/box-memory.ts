import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** What the processes of a box may take together, KiB; each of them may take as much. */
const MAX_KIB = 1024 * 1024
/** How often it is looked at, milliseconds. */
const EVERY_MS = 100

const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0)

/** A file of a process, which may be gone. */
const readOf = (pid: string, file: string): Promise<string> => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')

/** A process and all that have come from it, which are in its box. */
async function familyOf(pid: string): Promise<string[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const children = await Promise.all(threads.map((thread) => readOf(pid, `task/${thread}/children`)))
  const ids = children.flatMap((list) => list.split(' ').filter(Boolean))
  return [pid, ...(await Promise.all(ids.map(familyOf))).flat()]
}

/** KiB that the memory of each process adds up to; what they share may count for each of them. */
async function kibOf(pids: readonly string[], file: string, pattern: RegExp): Promise<number> {
  const texts = await Promise.all(pids.map((pid) => readOf(pid, file)))
  return texts.reduce((sum, text) => sum + numberIn(text, pattern), 0)
}

/**
 * Looks at what a program and its descendants take of the machine's memory, until they take too
 * much together, which calls `act`, or `signal` is aborted.
 */
export async function onTooMuchMemory(pid: number, signal: AbortSignal, act: () => void): Promise<void> {
  while (!signal.aborted) {
    const pids = await familyOf(String(pid))
    // The second costs more to read, and counts what is shared once.
    const isTooMuch =
      (await kibOf(pids, 'status', /^VmRSS:\s+(\d+) kB$/m)) > MAX_KIB &&
      (await kibOf(pids, 'smaps_rollup', /^Pss:\s+(\d+) kB$/m)) > MAX_KIB
    if (isTooMuch && !signal.aborted) return act()
    await sleep(EVERY_MS, null, { signal }).catch(() => {})
  }
}

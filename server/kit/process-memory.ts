import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseProcessStat } from './process-stat'

export type MemoryLimit = {
  /** What a process and its descendants may take of the machine's memory together, MiB. */
  maxMiB: number
  /** How often it is looked at, milliseconds. */
  everyMs: number
}

/** A file of a process, which may be gone. */
const readOf = (pid: number, file: string): Promise<string> => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')

/**
 * Returns what finds a process and all that have come from it, also those whose parent has ended. A
 * process that was seen before is not looked at again, so that this costs little however often.
 */
function followFamily(root: number): () => Promise<number[]> {
  const parents = new Map<number, number>()
  return async () => {
    const names = await readdir('/proc').catch(() => [])
    const there = new Set(names.map(Number).filter(Number.isInteger))
    for (const pid of parents.keys()) if (!there.has(pid)) parents.delete(pid)
    const fresh = [...there].filter((pid) => !parents.has(pid))
    await Promise.all(fresh.map(async (pid) => parents.set(pid, await parentOf(pid))))
    const children = Map.groupBy(parents.keys(), (pid) => parents.get(pid))
    // It grows while it is gone through.
    const family = new Set([root])
    for (const pid of family) for (const child of children.get(pid) ?? []) family.add(child)
    return [...family]
  }
}

/** 0, which is nobody's, where the process is gone. */
const parentOf = async (pid: number): Promise<number> => parseProcessStat(await readOf(pid, 'stat')).parent

const mibOf = (text: string, fields: RegExp): number =>
  [...text.matchAll(fields)].reduce((sum, [, kib]) => sum + Number(kib) / 1024, 0)

/** MiB that are a process's own, and those that it shares with others, whole. */
const allOf = async (pid: number): Promise<number> =>
  mibOf(await readOf(pid, 'status'), /^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)

/** MiB, with its part of what it shares: costs more to read, and not everybody may read it. */
const partOf = async (pid: number): Promise<number> =>
  mibOf(await readOf(pid, 'smaps_rollup'), /^Pss_(?:Anon|Shmem):\s+(\d+) kB$/gm) || allOf(pid)

const sumOf = (sizes: readonly number[]): number => sizes.reduce((sum, each) => sum + each, 0)

/**
 * Looks at what a process and its descendants take of the machine's memory until `signal` is
 * aborted. Each time that it is too much, `act` is called with the largest of the descendants.
 * Where the machine has no `/proc`, nothing is seen.
 */
export async function watchMemory(
  pid: number,
  { maxMiB, everyMs }: MemoryLimit,
  signal: AbortSignal,
  act: (largest: number) => void,
): Promise<void> {
  const familyNow = followFamily(pid)
  for (;;) {
    await sleep(everyMs, null, { signal }).catch(() => {})
    if (signal.aborted) return
    const pids = await familyNow()
    if (sumOf(await Promise.all(pids.map(allOf))) > maxMiB) {
      const sizes = await Promise.all(pids.map(partOf))
      const largest = pids[sizes.indexOf(Math.max(...sizes.slice(1)), 1)]
      if (sumOf(sizes) > maxMiB && largest !== undefined && !signal.aborted) act(largest)
    }
  }
}

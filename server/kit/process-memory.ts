import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

export type MemoryLimit = {
  /** What a process and its descendants may take of the machine's memory together, MiB. */
  maxMiB: number
  /** How often it is looked at, milliseconds. */
  everyMs: number
}

/** A file of a process, which may be gone. */
const readOf = (pid: number, file: string): Promise<string> => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')

async function descendantsOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(threads.map((thread) => readOf(pid, `task/${thread}/children`)))
  const children = lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()]
}

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
  while (!signal.aborted) {
    const pids = [pid, ...(await descendantsOf(pid))]
    if (sumOf(await Promise.all(pids.map(allOf))) > maxMiB) {
      const sizes = await Promise.all(pids.map(partOf))
      const largest = pids[sizes.indexOf(Math.max(...sizes.slice(1)), 1)]
      if (sumOf(sizes) > maxMiB && largest !== undefined && !signal.aborted) act(largest)
    }
    await sleep(everyMs, null, { signal }).catch(() => {})
  }
}

import type { PodFiles, UnpackedPod } from '../pod-files'
import type { PodResults } from '../pod-tasks'
import { packFiles } from './codec'
import { destructiveActions } from './destructive'
import { lostPaths } from './lost-paths'
import { olderFiles, withMakers } from './made-files'
import type { ShellTask } from './run-bash'

const isSame = (before: PodFiles, after: PodFiles): boolean =>
  before.size === after.size &&
  [...after].every(([path, entry]) => {
    const was = before.get(path)
    if (was?.kind === 'file' && entry.kind === 'file') {
      return was.mode === entry.mode && Buffer.compare(was.bytes, entry.bytes) === 0
    }
    return JSON.stringify(was) === JSON.stringify(entry)
  })

/**
 * Runs a command on a pod's files. Throws `invalid_request` when the result is too large to store.
 */
export async function runShellCommand(
  { approved, ...task }: ShellTask & { approved: boolean },
  before: UnpackedPod,
): Promise<PodResults['run']> {
  if (!approved && (await destructiveActions(task.command, before)).length > 0) return { kind: 'needs_approval' }
  // Most threads that analyze commands never run one, and the shell is a large module.
  const { runBash } = await import('./run-bash')
  const { files: left, ...done } = await runBash(task, before.files, before.cwd)
  const files = withMakers(before.files, left, before.run)
  // Without approval nothing that the run did not make may be lost, whatever the text hid: the
  // result is discarded.
  const paths = approved ? [] : lostPaths(before.files, files, olderFiles(before.files, before.run))
  if (paths.length > 0) return { kind: 'would_lose', paths }
  const isUnchanged = done.cwd === before.cwd && isSame(before.files, files)
  return { kind: 'ran', ...done, packed: isUnchanged ? undefined : packFiles(files) }
}

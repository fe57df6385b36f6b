import type { UnpackedPod } from '../pod-files'
import { olderFiles } from './made-files'
import { analyzeScript } from './script/analyze'
import { scriptContextOf } from './script/script-context'

/**
 * Sentences about what a command may destroy in a pod of what its run did not make, and about what
 * is unclear; none when it only reads, creates new files or changes its own. The shell's own parser
 * parses the command, so the analysis and the shell see the same script.
 */
export async function destructiveActions(command: string, pod: UnpackedPod): Promise<string[]> {
  const older = olderFiles(pod.files, pod.run)
  if (older.size === 0) return []
  // Most processes never run a pod, and the package is large.
  const { parse } = await import('just-bash')
  return analyzeScript(parse, command, scriptContextOf(pod.files, pod.cwd, older))
}

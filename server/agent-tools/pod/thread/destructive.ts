import type { PodFiles } from '../pod-files'
import { analyzeScript } from './script/analyze'
import { scriptContextOf } from './script/script-context'

/**
 * Sentences about what a command may destroy in a pod, and about what is unclear; none when it only
 * reads or creates new files. The shell's own parser parses the command, so the analysis and the
 * shell see the same script.
 */
export async function destructiveActions(command: string, pod: { files: PodFiles; cwd: string }): Promise<string[]> {
  // Most processes never run a pod, and the package is large.
  const { parse } = await import('just-bash')
  return analyzeScript(parse, command, scriptContextOf(pod.files, pod.cwd))
}

import type { PodFiles } from '../pod-files'
import { analyzeScript } from './script/analyze'
import { scriptContextOf } from './script/script-context'

/**
 * What a command may destroy in a pod, and what of it cannot be read, in words; empty when it only reads or makes what is
 * new. The shell's own parser reads the command, so both see the same script.
 */
export async function destructiveActions(command: string, pod: { files: PodFiles; cwd: string }): Promise<string[]> {
  // Most processes never run a pod, and the package is large.
  const { parse } = await import('just-bash')
  return analyzeScript(parse, command, scriptContextOf(pod.files, pod.cwd))
}

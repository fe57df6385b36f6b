import type { PodFiles } from '../driver'
import { readScript } from './script/read'
import { worldOf } from './script/world'

/**
 * What a command may destroy in a pod, and what of it cannot be read, in words; empty when it only reads or makes what is
 * new. The shell's own parser reads the command, so both see the same script.
 */
export async function destructiveActs(command: string, pod: { files: PodFiles; cwd: string }): Promise<string[]> {
  // Most processes never run a pod, and the package is large.
  const { parse } = await import('just-bash')
  return readScript(parse, command, worldOf(pod.files, pod.cwd))
}

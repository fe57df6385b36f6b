import path from 'node:path'
import { POD_HOME, UPLOADS } from '../../agent-tools/pod/pod-files'
import { requirePodTask } from '../../agent-tools/pod/pod-pool'
import { loadPod } from '../../agent-tools/pod/store'
import { hostFile } from '../../files/put'
import { log } from '../../kit/log'
import { contentTypeOf } from '../../sites/content-type'
import { hostedArtifact, type ToolArtifact } from '../../tools/artifact'
import { type AgentRun, stepsOfRun } from './state'

/** Files that one result hands over, at most. */
const MAX_NAMED = 10
const LETTER = /[\p{L}\p{N}_/-]/u

/**
 * The files of the conversation's shell that a run's result names, as artifacts: people get what
 * they read of. Each gets an address that nobody guesses and that the run never
 * sees. What people attached they have already. A run that wrote no file costs nothing; what fails
 * is logged, since the result is worth more than its files.
 */
export async function hostNamedFiles(run: AgentRun, result: string): Promise<ToolArtifact[]> {
  const hasShell = stepsOfRun(run).some(({ name }) => name.startsWith('pod_') || name === 'dataset_export')
  if (!hasShell || !result.includes('.')) return []
  try {
    const { jobId, ownerId } = run
    const pod = await loadPod({ ownerId, jobId })
    const { files } = await requirePodTask({ kind: 'list', folder: '/' }, pod, { ownerId })
    const named = namedFiles(
      result,
      files.flatMap((file) => (file.link === undefined && file.bytes > 0 ? [file.path] : [])),
    )
    const made: ToolArtifact[] = []
    for (const file of named) {
      const [found] = await requirePodTask({ kind: 'collect', folder: file }, pod, { ownerId })
      if (!found) continue
      const bytes = found.base64 === undefined ? Buffer.from(found.content ?? '') : Buffer.from(found.base64, 'base64')
      const contentType = contentTypeOf(file)
      const { url } = await hostFile({ ownerId, bytes, contentType })
      made.push(hostedArtifact(contentType.startsWith('image/') ? 'image' : 'file', url, path.posix.basename(file)))
    }
    return made
  } catch (error) {
    log.warn({ job: run.jobId, err: (error as Error).message }, 'the files that a result names could not be stored')
    return []
  }
}

/**
 * Which of some files a text names: by their whole path, from the home folder, or by a name that
 * only one of them has.
 */
export function namedFiles(text: string, paths: readonly string[]): string[] {
  const own = paths.filter((at) => !at.startsWith(`${UPLOADS}/`) && /^[^.].*\.\w+$/.test(path.posix.basename(at)))
  const counts = new Map<string, number>()
  for (const at of own) counts.set(path.posix.basename(at), (counts.get(path.posix.basename(at)) ?? 0) + 1)
  const isNamed = (at: string): boolean => {
    const inHome = at.startsWith(`${POD_HOME}/`) ? at.slice(POD_HOME.length + 1) : null
    const base = path.posix.basename(at)
    if (!text.includes(base)) return false
    return (
      names(text, at) ||
      (inHome !== null && (names(text, `~/${inHome}`) || names(text, `./${inHome}`) || names(text, inHome))) ||
      (counts.get(base) === 1 && names(text, base))
    )
  }
  return own.filter(isNamed).slice(0, MAX_NAMED)
}

/** Whether a text has a name that is not part of a longer one. */
function names(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text.slice(at + name.length, at + name.length + 2)]
    const goesOn = LETTER.test(after[0] ?? ' ') || /^\.\w/.test(after)
    if (!goesOn && !LETTER.test(before) && before !== '.') return true
  }
  return false
}

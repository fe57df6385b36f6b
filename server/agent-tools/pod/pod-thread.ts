// The worker thread that unpacks, changes and packs pods, and analyzes and runs their commands.
import { AppError } from '../../errors'
import { serveParser } from '../../kit/threads/serve-parser'
import type { PodFiles } from './pod-files'
import type { PackedPod, PodReply, PodResults, PodTask } from './pod-tasks'
import { podBytes, unpackFiles } from './thread/codec'
import { destructiveActions } from './thread/destructive'
import { listPodFiles } from './thread/list-files'
import { readPodFile } from './thread/read-file'
import { runShellCommand } from './thread/run-command'
import { planPodWrite, writePodFile } from './thread/write-file'

function answer(task: PodTask, pod: { files: PodFiles; cwd: string }): PromiseOr<PodResults[PodTask['kind']]> {
  switch (task.kind) {
    case 'analyze':
      return destructiveActions(task.command, pod)
    case 'run':
      return runShellCommand(task, pod)
    case 'list':
      return listPodFiles(task.folder, pod)
    case 'read':
      return readPodFile(task, pod)
    case 'plan':
      return planPodWrite(task.file, pod)
    case 'write':
      return writePodFile(task, pod)
    case 'count': {
      const files = [...pod.files.values()].filter(({ kind }) => kind !== 'folder').length
      return { files, bytes: podBytes(pod.files) }
    }
    default:
      return task satisfies never
  }
}
type PromiseOr<T> = T | Promise<T>

serveParser(async ({ task, pod }: { task: PodTask; pod: PackedPod }): Promise<PodReply<PodTask['kind']>> => {
  try {
    return { ok: true, answer: await answer(task, { files: unpackFiles(pod.packed), cwd: pod.cwd }) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ok: false, code: error.code, message: error.message }
  }
})

// The thread in which pods are unpacked, changed and packed, and their commands judged and run.
import { isAppError } from '../../../errors'
import { serveParser } from '../../../kit/threads/serve-parser'
import type { PodFiles } from './driver'
import { bytesIn, unpackFiles } from './inside/codec'
import { destructiveActs } from './inside/destructive'
import { listFiles } from './inside/list-files'
import { readFilePart } from './inside/read-file'
import { runCommand } from './inside/run-command'
import { planWrite, writeFile } from './inside/write-file'
import type { PackedPod, PodAnswers, PodReply, PodTask } from './pod-tasks'

function answer(task: PodTask, pod: { files: PodFiles; cwd: string }): PromiseOr<PodAnswers[PodTask['kind']]> {
  switch (task.kind) {
    case 'judge':
      return destructiveActs(task.command, pod)
    case 'run':
      return runCommand(task, pod)
    case 'list':
      return listFiles(task.folder, pod)
    case 'read':
      return readFilePart(task, pod)
    case 'plan':
      return planWrite(task.file, pod)
    case 'write':
      return writeFile(task, pod)
    case 'count': {
      const files = [...pod.files.values()].filter(({ kind }) => kind !== 'folder').length
      return { files, bytes: bytesIn(pod.files) }
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
    if (!isAppError(error)) throw error
    return { ok: false, code: error.code, message: error.message }
  }
})

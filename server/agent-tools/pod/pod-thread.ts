// The worker thread that unpacks, changes and packs pods, and analyzes and runs their commands.
import { AppError } from '../../errors'
import { serveParser } from '../../kit/threads/serve-parser'
import { type PodFiles, type UnpackedPod, UPLOADS } from './pod-files'
import type { PackedPod, PodReply, PodResults, PodTask } from './pod-tasks'
import { podBytes, unpackFiles } from './thread/codec'
import { destructiveActions } from './thread/destructive'
import { collectPodFiles, listPodFiles } from './thread/list-files'
import { olderFiles } from './thread/made-files'
import { readPodFile } from './thread/read-file'
import { runShellCommand } from './thread/run-command'
import { planPodWrite, writePodFile } from './thread/write-file'

function answer(task: PodTask, pod: UnpackedPod): PromiseOr<PodResults[PodTask['kind']]> {
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
    case 'collect':
      return collectPodFiles(task.folder, pod)
    case 'count': {
      const older = olderFiles(pod.files, pod.run)
      return { files: older.size, bytes: podBytes(older) }
    }
    default:
      return task satisfies never
  }
}
type PromiseOr<T> = T | Promise<T>

/** A pod's files with those that people attached; a folder on the way is made with them. */
function withUploads(files: PodFiles, { uploads = [] }: PackedPod): PodFiles {
  if (uploads.length === 0) return files
  const all = new Map(files)
  for (const { path, bytes, at } of uploads) {
    if (!all.has(UPLOADS)) all.set(UPLOADS, { kind: 'folder', mode: 0o755 })
    if (!all.has(path)) all.set(path, { kind: 'file', bytes, mode: 0o644, mtimeMs: at })
  }
  return all
}

serveParser(async ({ task, pod }: { task: PodTask; pod: PackedPod }): Promise<PodReply<PodTask['kind']>> => {
  try {
    return { ok: true, answer: await answer(task, { ...pod, files: withUploads(unpackFiles(pod.packed), pod) }) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ok: false, code: error.code, message: error.message }
  }
})

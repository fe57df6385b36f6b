import { AppError } from '../../errors'
import type { Parser, ParserOutcome } from '../../kit/threads/parser'
import { type ParseOptions, parseInThread } from '../../tools/parse'
import type { PackedPod, PodReply, PodResults, PodTask } from './pod-tasks'
import { systemPython } from './system-python'

/** For tasks on files. The thread keeps nothing of a pod. */
const FILES: Parser = { file: 'pod-thread', lane: 'quick', reused: true, cpuMs: 3_000, wallMs: 30_000, memoryMb: 192 }

/** A command gets a new thread, because the shell may keep anything in memory. */
const shell = (timeoutMs: number): Parser => ({
  ...{ file: 'pod-thread', lane: 'shell', reused: false, memoryMb: 192 },
  ...{ cpuMs: timeoutMs, wallMs: timeoutMs },
})

/**
 * Runs a task in a thread of the pool. Throws what the task throws, and `unavailable` when the
 * queue is full.
 */
export async function runPodTask<T extends PodTask>(
  task: T,
  pod: PackedPod,
  parseFor: ParseOptions,
): Promise<ParserOutcome<PodResults[T['kind']]>> {
  return send(FILES, { task, pod }, parseFor)
}

/** The result of a task. Throws `invalid_request` where it takes too much time or memory. */
export async function requirePodTask<T extends PodTask>(
  task: T,
  pod: PackedPod,
  parseFor: ParseOptions,
): Promise<PodResults[T['kind']]> {
  const outcome = await runPodTask(task, pod, parseFor)
  switch (outcome.kind) {
    case 'done':
      return outcome.value
    case 'out_of_time':
    case 'out_of_memory':
      throw new AppError('invalid_request', "The shell's files are too large for this.")
    case 'failed':
      throw new AppError('upstream_error', "The shell's files cannot be read.", { cause: outcome.message })
    default:
      return outcome satisfies never
  }
}

export type PodCommand = { command: string; approved: boolean; timeoutMs: number }

/** Runs a command. A command that a limit stops changes nothing, and its exit code says why. */
export async function runPodCommand(
  { command, approved, timeoutMs }: PodCommand,
  pod: PackedPod,
  parseFor: ParseOptions,
): Promise<PodResults['run']> {
  const task: PodTask = { kind: 'run', command, approved, systemPython: await systemPython() }
  const outcome = await send<PodResults['run']>(shell(timeoutMs), { task, pod }, parseFor)
  const stopped = (exitCode: number, why: string): PodResults['run'] => {
    return { kind: 'ran', stdout: '', stderr: `${why} Nothing was changed.`, exitCode, cwd: pod.cwd, packed: undefined }
  }
  switch (outcome.kind) {
    case 'done':
      return outcome.value
    case 'out_of_time':
      return stopped(124, `The command was stopped after ${timeoutMs / 1000} s.`)
    case 'out_of_memory':
      return stopped(137, 'The command needed too much memory and was stopped.')
    case 'failed':
      return stopped(1, `The shell failed: ${outcome.message}.`)
    default:
      return outcome satisfies never
  }
}

async function send<A extends PodResults[PodTask['kind']]>(
  parser: Parser,
  input: { task: PodTask; pod: PackedPod },
  parseFor: ParseOptions,
): Promise<ParserOutcome<A>> {
  const outcome = await parseInThread<PodReply<PodTask['kind']>>(parser, input, parseFor)
  if (outcome.kind !== 'done') return outcome
  const { value } = outcome
  if (!value.ok) throw new AppError(value.code, value.message)
  // The result's kind is that of the task.
  return { kind: 'done', value: value.answer as A }
}

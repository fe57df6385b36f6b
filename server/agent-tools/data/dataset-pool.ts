import { AppError, invalidParameter } from '../../errors'
import type { Parser } from '../../kit/threads/parser'
import { type ParseOptions, parseInThread } from '../../tools/parse'
import type { DatasetResult, DatasetTask } from './dataset-tasks'

/** Each task has a new thread, because WebAssembly memory never shrinks. */
export const datasetParser: Parser = {
  ...{ file: 'dataset-thread', lane: 'heavy', reused: false },
  ...{ cpuMs: 8_000, wallMs: 55_000, memoryMb: 256 },
}

const RESULT_KINDS = {
  query: 'rows',
  pack: 'table',
  append: 'table',
  export: 'text',
  download: 'text',
  compare: 'compared',
} as const

/** The result of a task, by its kind. */
type ResultOf<T extends DatasetTask> = Extract<DatasetResult, { kind: (typeof RESULT_KINDS)[T['kind']] }>

/**
 * Runs a task on datasets in a thread of the pool. Throws `invalid_request` for invalid input or a
 * task that takes too much time or memory, and `unavailable` when the queue is full.
 */
export async function runDatasetTask<T extends DatasetTask>(task: T, parseFor: ParseOptions): Promise<ResultOf<T>> {
  const path = task.kind === 'query' ? 'sql' : 'rows'
  const outcome = await parseInThread<DatasetResult>(datasetParser, task, parseFor)
  switch (outcome.kind) {
    case 'out_of_time':
      throw invalidParameter(path, `needed more than ${datasetParser.cpuMs / 1000} s of computing and was stopped`)
    case 'out_of_memory':
      throw invalidParameter(path, 'needs too much memory and was stopped')
    case 'failed':
      throw new AppError('upstream_error', 'The dataset engine failed.', { cause: outcome.message })
    case 'done':
      break
    default:
      outcome satisfies never
  }
  const { value } = outcome
  if (value.kind === 'refused') throw invalidParameter(value.path, value.message)
  return value as ResultOf<T>
}

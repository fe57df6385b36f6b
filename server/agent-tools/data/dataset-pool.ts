import { AppError, invalidRequest } from '../../errors'
import type { Parser } from '../../kit/threads/parser'
import { type ParseOptions, parseInThread } from '../../tools/parse'
import type { DatasetResult, DatasetTask } from './dataset-tasks'

/** The thread ends with each task: WebAssembly memory never shrinks. */
const DATASET: Parser = {
  ...{ file: 'dataset-thread', lane: 'heavy', reused: false },
  ...{ cpuMs: 8_000, wallMs: 55_000, memoryMb: 256 },
}

type Answered<K extends DatasetResult['kind']> = Extract<DatasetResult, { kind: K }>

const ANSWERS = { query: 'rows', pack: 'table', append: 'table', export: 'text' } as const

/** What a task of a kind answers. */
type AnswerTo<T extends DatasetTask> = Answered<(typeof ANSWERS)[T['kind']]>

/**
 * Does something with datasets in a thread of the pool. Throws `invalid_request` for what is refused there, or takes too
 * much time or memory, and `unavailable` when too much waits.
 */
export async function runDatasetTask<T extends DatasetTask>(task: T, parseFor: ParseOptions): Promise<AnswerTo<T>> {
  const path = task.kind === 'query' ? 'sql' : 'rows'
  const wrong = (at: string, message: string) => invalidRequest([{ path: [at], message }])
  const outcome = await parseInThread<DatasetResult>(DATASET, task, parseFor)
  switch (outcome.kind) {
    case 'out_of_time':
      throw wrong(path, `needed more than ${DATASET.cpuMs / 1000} s of computing and was stopped`)
    case 'out_of_memory':
      throw wrong(path, 'needs too much memory and was stopped')
    case 'failed':
      throw new AppError('upstream_error', 'The dataset engine failed.', { cause: outcome.message })
    case 'done':
      break
    default:
      outcome satisfies never
  }
  const { value } = outcome
  if (value.kind === 'refused') throw wrong(value.path, value.message)
  return value as AnswerTo<T>
}

import { invalidRequest } from '../../errors'
import type { Parser } from '../../kit/threads/parser'
import { type ParseOptions, parseInThread } from '../../tools/parse'
import { checkSchemaForm, type OutputSchema } from './check-schema'
import type { SchemaReply, SchemaTask } from './schema-tasks'

const SCHEMA: Parser = {
  ...{ file: 'schema-thread', lane: 'quick', reused: true },
  ...{ cpuMs: 1_000, wallMs: 20_000, memoryMb: 128 },
}

async function askThread(task: SchemaTask, parseFor: ParseOptions): Promise<SchemaReply> {
  const outcome = await parseInThread<SchemaReply>(SCHEMA, task, parseFor)
  switch (outcome.kind) {
    case 'done':
      return outcome.value
    case 'out_of_time':
      return { kind: 'invalid', errors: ['The schema takes too much computing.'] }
    case 'out_of_memory':
      return { kind: 'invalid', errors: ['The schema takes too much memory.'] }
    case 'failed':
      return { kind: 'invalid', errors: [`The schema cannot be evaluated: ${outcome.message}`] }
    default:
      return outcome satisfies never
  }
}

/**
 * Checks a caller's schema for a run's result: first its form, then in a thread that it can be
 * evaluated. Throws `invalid_request`, and `unavailable` while too many tasks wait.
 */
export async function checkOutputSchema(schema: OutputSchema, parseFor: ParseOptions): Promise<void> {
  checkSchemaForm(schema)
  const reply = await askThread({ kind: 'try', schema }, parseFor)
  if (reply.kind === 'valid') return
  throw invalidRequest([{ path: ['outputSchema'], message: reply.errors.join(' ') }])
}

/** The value in a model's answer, if it conforms to the schema. Throws `unavailable`. */
export const readStructured = (
  { schema, text }: { schema: OutputSchema; text: string },
  parseFor: ParseOptions,
): Promise<SchemaReply> => askThread({ kind: 'read', schema, text }, parseFor)

import type { Parser } from '../../kit/threads/parser'
import { type ParseOptions, parseInThread } from '../../tools/parse'
import type { StatementClass } from './classify-sql'

/**
 * An ordinary statement takes a few milliseconds. PostgreSQL's parser is WebAssembly, whose memory
 * counts as used when it is reserved: 128 MiB at once, and twice that while it grows.
 */
const SQL: Parser = { file: 'sql-thread', lane: 'quick', reused: true, cpuMs: 2_000, wallMs: 20_000, memoryMb: 448 }

/** Longer statements need a person's approval: the parser takes some kilobytes for a character. */
const MAX_CHARACTERS = 20_000

/**
 * Whether a statement only reads, decided in a thread. A statement that cannot be classified within
 * the limits needs approval. Throws `unavailable` when the queue is full.
 */
export async function classifyStatement(sql: string, parseFor: ParseOptions): Promise<StatementClass> {
  if (sql.length > MAX_CHARACTERS)
    return { kind: 'needs_approval', reason: `it has more than ${MAX_CHARACTERS} characters` }
  const outcome = await parseInThread<StatementClass>(SQL, sql, parseFor)
  return outcome.kind === 'done'
    ? outcome.value
    : { kind: 'needs_approval', reason: 'it takes too much time or memory to parse' }
}

import type { Parser } from '../../../kit/threads/parser'
import { type ParseFor, parseInThread } from '../../../tools/parse'
import type { Judged } from './sql-reads'

/** An honest statement takes a few milliseconds. PostgreSQL's parser is WebAssembly whose memory counts as used when it is reserved: 128 MiB at once, twice that while it grows. */
const SQL: Parser = { file: 'sql-thread', lane: 'quick', reused: true, cpuMs: 2_000, wallMs: 20_000, memoryMb: 448 }

/**
 * Whether a statement only reads, decided in a thread. What cannot be decided within its bounds is for a person to see.
 * Throws `unavailable` when too much waits.
 */
export async function judgeStatement(sql: string, parseFor: ParseFor): Promise<Judged> {
  const outcome = await parseInThread<Judged>(SQL, sql, parseFor)
  return outcome.kind === 'done' ? outcome.value : { kind: 'asks', what: 'it is too large to be read' }
}

import pino from 'pino'
import { activeTraceIds } from './tracing/tracer'

// Lines are written together, a few times a second: one write per request would be a tenth of its
// cost. pino writes what is left when the process exits.
const open = () => pino.destination({ fd: 2, sync: false, minLength: 8_192, periodicFlush: 200 })

/** One in the process: each flushes on its own, also that of a module that was loaded again. */
const KEY = Symbol.for('tollgate.log')
const shared = globalThis as { [KEY]?: ReturnType<typeof open> }
shared[KEY] ??= open()

/** What most lines add: nothing. It is never written to. */
const NOTHING = {}

/**
 * Structured log on stderr, one JSON object a line, with `trace_id` and `span_id` where a span is
 * active. Never give it secrets. `env.ts` sets the level at start.
 */
export const log = pino(
  {
    level: 'info',
    base: null,
    redact: ['headers.authorization', 'headers["x-api-key"]'],
    mixin: () => activeTraceIds() ?? NOTHING,
    mixinMergeStrategy: (line: object, ids: object) => (ids === NOTHING ? line : { ...line, ...ids }),
  },
  shared[KEY],
)

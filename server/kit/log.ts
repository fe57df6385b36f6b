import pino from 'pino'

/** Structured log on stderr, one JSON object a line. Never give it secrets. `env.ts` sets the level at start. */
export const log = pino(
  { level: 'info', base: null, redact: ['headers.authorization', 'headers["x-api-key"]'] },
  pino.destination({ fd: 2, sync: false }),
)

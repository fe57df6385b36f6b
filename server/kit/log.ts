import pino from 'pino'

// Lines are written together, a few times a second: one write per request would be a tenth of its
// cost. pino writes what is left when the process exits.
const out = pino.destination({ fd: 2, sync: false, minLength: 8_192, periodicFlush: 200 })

/**
 * Structured log on stderr, one JSON object a line. Never give it secrets. `env.ts` sets the level
 * at start.
 */
export const log = pino({ level: 'info', base: null, redact: ['headers.authorization', 'headers["x-api-key"]'] }, out)

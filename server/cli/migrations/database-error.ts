import { CliError } from '../kit/project'
import { tlsProblem } from './tls-error'

/**
 * PostgreSQL refused a migration's SQL. The engine's own error says which one, but paraphrases the
 * reason.
 */
export class MigrationError extends Error {
  constructor(refusal: Error, engines: unknown) {
    const [, name = ''] = /migration_name="([^"]+)"/.exec(String((engines as Error).message)) ?? []
    super(`Migration ${name} failed: ${refusal.message}`, { cause: refusal })
  }
}

type Failure = { code?: unknown; message?: unknown; meta?: unknown }

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'no such host',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'no route to it',
  ECONNRESET: 'it closed the connection',
  '28P01': 'wrong password',
  '28000': 'it refuses this user',
  '3D000': 'it has no such database',
  '57P03': 'it is starting up',
  '53300': 'it has too many connections',
}

/**
 * An error of the database or the engine as one line for the operator, without the password of the
 * address.
 */
export function describeDatabaseError(error: unknown, url: string): unknown {
  if (error instanceof CliError) return error
  if (error instanceof MigrationError) return new CliError(error.message)
  const { code, message, meta } = (error instanceof AggregateError ? error.errors[0] : error) as Failure
  const where = new URL(url)
  const place = `${where.hostname}:${where.port || 5432}${where.pathname}`
  const tls = tlsProblem(error)
  if (tls) return new CliError(`Cannot use the database at ${place}: ${tls.text}. ${tls.advice}.`)
  const reason = typeof code === 'string' ? REASONS[code] : undefined
  const isTimeout = typeof message === 'string' && /timeout/i.test(message) && code === undefined
  if (reason || isTimeout) {
    return new CliError(`Cannot use the database at ${place}: ${reason ?? 'it does not answer'}. Check DATABASE_URL.`)
  }
  const isEngines = typeof code === 'string' && /^P\d{4}$/.test(code)
  if (!isEngines && meta === undefined) return error
  return new CliError(`Migration failed: ${firstLines(String(message))}`)
}

const firstLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 6)
    .join(' ')

/**
 * Checks the address of a database before anything is dialled. Throws a CliError that never repeats
 * it.
 */
export function checkDatabaseUrl(url: string | undefined): string {
  if (!url) throw new CliError('DATABASE_URL is not set: give it a postgresql:// address')
  const isGood = URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol) && new URL(url).hostname !== ''
  if (!isGood) throw new CliError('DATABASE_URL must look like postgresql://user:password@host:5432/database')
  return url
}

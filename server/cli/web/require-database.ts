import { isDatabaseUnavailable, mainPool } from '../../db'
import { env } from '../../env'
import { connectionLimit } from '../../kit/connections'
import { log } from '../../kit/log'
import { printLine } from '../../kit/print-line'
import { keepSecretFingerprint } from '../../operators/upkeep'
import { fingerprintsOf } from '../backup/secrets'
import { asRunHere } from '../kit/project'
import { migrationState, newerVersionText } from '../migrations/state'
import { tlsProblem } from '../migrations/tls-error'
import { checkConnections } from './check-connections'
import { isPoolerRefusal, poolingProblem, withPoolerAdvice } from './check-pooling'

/**
 * Stops the process with one line when the database cannot be reached, lacks migrations of this
 * version, or belongs to a newer release that this one does not work with: it would read and write
 * tables whose meaning has changed.
 */
export async function requireDatabase(url: string): Promise<void> {
  const { host, pathname } = new URL(url)
  const where = `${host}${pathname}`
  const why = await problemAt(where)
  if (why === null) {
    await keepSecretFingerprint(fingerprintsOf(env()).AUTH_SECRET ?? '').catch((error: Error) =>
      log.warn({ err: error.message }, 'the fingerprint of AUTH_SECRET was not kept'),
    )
    log.info({ database: where, connections: connectionLimit(env().DATABASE_CONNECTIONS) }, 'database')
    return checkConnections()
  }
  printLine(asRunHere(why))
  process.exit(1)
}

async function problemAt(where: string): Promise<string | null> {
  try {
    const state = await migrationState(mainPool())
    if (state.unknown.length > 0) return newerVersionText(state)
    if (state.missing.length === 0) return await poolingProblem({ isPooled: env().DATABASE_DIRECT_URL !== undefined })
    return `The database at ${where} lacks the migrations ${state.missing.join(', ')}: run npm run db:migrate.`
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    const tls = tlsProblem(error)
    if (tls) return `Cannot use the database at ${where}: ${tls.text}. ${tls.advice}.`
    if (isPoolerRefusal(message)) return `The pooler at ${where} refuses: ${withPoolerAdvice(message)}`
    if (isDatabaseUnavailable(error)) return `Cannot reach the database at ${where}: ${code ?? message}.`
    return `The database at ${where} refuses: ${message}.`
  }
}

import { openCommandDatabase } from '../embedded/command-database'
import { tlsProblem } from '../migrations/tls-error'
import { type DoctorCheck, failure, look, warning } from './check'
import { checkDatabase } from './check-database'
import { checkIssuer } from './check-issuer'
import { checkChromium, checkDataFolder, checkPython, checkStorage, checkThreads, UNUSABLE } from './check-machine'
import {
  checkCollector,
  checkMail,
  checkModelProviders,
  checkPublicUrl,
  checkSandbox,
  checkToolProviders,
} from './check-network'
import { checkAllSettings, checkNames, validSettings } from './check-settings'
import { checkUpkeep } from './check-upkeep'

const DATABASE_ADVICE = 'Start PostgreSQL, or correct DATABASE_URL in .env.'

/** What was wrong with the encryption of a connection; another error is thrown on. */
function asCheck(error: unknown): DoctorCheck[] {
  const tls = tlsProblem(error)
  if (tls) return [failure('database', tls.text, `${tls.advice}.`)]
  throw error
}

/**
 * Looks at everything that the service needs, each on its own: also without a database, or with
 * wrong settings. Nothing that costs money is called.
 */
export async function examine({ acceptsSecret = false } = {}): Promise<DoctorCheck[]> {
  const disk = await look('disk', 'Let this user write to the folder that DATA_DIR names.', checkDataFolder)
  // Where that folder cannot be used, what is kept there is not known; nothing else is wrong then.
  const isLost = !process.env.AUTH_SECRET && disk.some(({ text }) => text.startsWith(UNUSABLE))
  const source = { ...process.env, ...(isLost && { AUTH_SECRET: '-'.repeat(32) }) }
  const settings = [...checkAllSettings(source), ...checkNames(process.env)]
  const opened = await openCommandDatabase(process.env).then(
    (database) => ({ database, problem: null }),
    (error: unknown) => ({ database: null, problem: error as Error }),
  )
  const { database, problem } = opened
  try {
    const env = validSettings(database?.url ?? 'postgresql://nobody@127.0.0.1:1/none')
    const groups = await Promise.all([
      database
        ? look('database', DATABASE_ADVICE, () => checkDatabase(database).catch(asCheck))
        : [failure('database', problem?.message ?? '', DATABASE_ADVICE)],
      look('build', 'npm run build', checkThreads),
      ...(env === null
        ? [[warning('the rest', 'needs valid settings', 'Correct the settings above, then run doctor again.')]]
        : [
            look('storage', 'Look at STORAGE_URL, its credentials and its rights.', () => checkStorage(env)),
            look('chromium', 'Look at CHROMIUM_PATH.', checkChromium),
            look('python', 'Look at SHELL_PYTHON.', checkPython),
            look('models', 'Look at MODELS_FILE.', () => checkModelProviders(env)),
            look('tools', 'Look at the settings of the tools.', () => checkToolProviders(env)),
            checkSandbox(env),
            checkCollector(env),
            checkIssuer(env),
            ...(database
              ? [look('backups', DATABASE_ADVICE, () => checkUpkeep(database.url, env, { acceptsSecret }))]
              : []),
            look('public URL', 'Look at PUBLIC_URL.', () => checkPublicUrl(env)),
            look('e-mail', 'Look at SMTP_URL.', () => checkMail(env)),
          ]),
    ])
    return [...settings, ...disk, ...groups.flat()]
  } finally {
    await database?.release()
  }
}

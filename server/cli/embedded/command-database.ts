import { printLine } from '../../kit/print-line'
import { CliError, displayPath } from '../kit/project'
import { checkDatabaseUrl } from '../migrations/database-error'
import { joinEmbeddedDatabase } from './join'

/** The database of a command. */
export type CommandDatabase = {
  /** As the service connects. */
  url: string
  /** As migrations connect. */
  ownerUrl: string
  /**
   * Migrations are applied without asking: it is the embedded one, which only this program uses.
   */
  isEmbedded: boolean
  /** What it is, for people; never with a password. */
  label: string
  release: () => Promise<void>
}

const EMBEDDED = 'embedded'

const MISSING =
  'DATABASE_URL is not set. Live mode needs the postgresql:// address of a PostgreSQL 15 or newer, or DATABASE_URL=embedded for the embedded one. npm run quickstart sets up a sandbox that needs neither.'

/**
 * Settles which database a command uses: the one DATABASE_URL names, or the embedded one where it
 * says `embedded`, and where it is not set in sandbox mode. Throws a CliError in live mode without
 * it: an empty database would answer every question wrongly. The embedded one is started, or joined
 * where it runs.
 */
export async function openCommandDatabase({
  DATABASE_URL,
  DATABASE_DIRECT_URL,
  UPSTREAMS,
}: NodeJS.ProcessEnv): Promise<CommandDatabase> {
  if (DATABASE_URL && DATABASE_URL !== EMBEDDED) {
    const url = checkDatabaseUrl(DATABASE_URL)
    const { username, host, pathname } = new URL(url)
    const label = `${decodeURIComponent(pathname.slice(1)) || username} at ${host}`
    const ownerUrl = DATABASE_DIRECT_URL ? checkDatabaseUrl(DATABASE_DIRECT_URL) : url
    return { url, ownerUrl, isEmbedded: false, label, release: async () => {} }
  }
  if (!DATABASE_URL && UPSTREAMS !== 'sandbox') throw new CliError(MISSING)
  const { url, appUrl, folder, release } = await joinEmbeddedDatabase('pg')
  const label = `embedded, in ${displayPath(folder)} (${new URL(url).host})`
  return { url: appUrl, ownerUrl: url, isEmbedded: true, label, release }
}

/** Says on stderr which database a command uses, so that no answer comes from an unexpected one. */
export const printDatabase = ({ label }: CommandDatabase): void => printLine(`Database: ${label}`, 'info')

import { type AppError, invalidRequest } from '../../errors'

/** Where an owner's database is, and how it is entered. */
export type DatabaseAddress = {
  host: string
  port: number
  user: string
  password: string
  database: string
  tls: TlsMode
}
/** `try`: with TLS where the server has it. */
export type TlsMode = 'off' | 'try' | 'on' | 'verify'

const TLS: Record<string, TlsMode> = {
  disable: 'off',
  prefer: 'try',
  allow: 'try',
  require: 'on',
  'verify-ca': 'verify',
  'verify-full': 'verify',
}

/** `invalid_request` for the URL of a database; `message` goes on from "url". */
export const invalidDatabaseUrl = (message: string): AppError => invalidRequest([{ path: ['url'], message }])

/** A part of a URL in its own characters. Throws `invalid_request`. */
function decode(part: string, name: string): string {
  try {
    const text = decodeURIComponent(part)
    if (!/\p{Cc}/u.test(text)) return text
  } catch {
    // Falls through: a % that does not begin an encoded character.
  }
  throw invalidDatabaseUrl(`has a ${name} that cannot be read: encode its special characters, a % as %25`)
}

/**
 * Takes a URL apart; nothing but these parts is ever used of it. All must be there: for an empty one the driver would
 * use this server's own settings. Throws `invalid_request`.
 */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.hostname === '')
    throw invalidDatabaseUrl('must be a postgresql://user:password@host:port/name URL')
  const { sslmode = 'prefer', ...rest } = Object.fromEntries(url.searchParams)
  const other = Object.keys(rest)[0]
  if (other) throw invalidDatabaseUrl(`has the parameter ${other}; only sslmode may stand there`)
  const tls = Object.hasOwn(TLS, sslmode) ? TLS[sslmode] : undefined
  if (!tls) throw invalidDatabaseUrl(`has sslmode=${sslmode}; there are ${Object.keys(TLS).join(', ')}`)
  const database = decode(url.pathname.slice(1), 'database name')
  if (database === '') throw invalidDatabaseUrl('must name the database at its end')
  const user = decode(url.username, 'user')
  const password = decode(url.password, 'password')
  if (user === '' || password === '') throw invalidDatabaseUrl('must carry both the user and the password')
  return { host: url.hostname, port: Number(url.port || 5432), user, password, database, tls }
}

/** What is shown of a database: where it is, never how it is entered. */
export const databaseLabel = ({ host, port, database }: DatabaseAddress): string => `${host}:${port}/${database}`

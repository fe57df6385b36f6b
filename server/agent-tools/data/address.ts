import { type AppError, invalidRequest } from '../../errors'

/** Where an owner's database is, with the credentials. */
export type DatabaseAddress = {
  host: string
  port: number
  user: string
  password: string
  database: string
  tls: TlsMode
}
/** `try`: with TLS where the server offers it. */
export type TlsMode = 'off' | 'try' | 'on' | 'verify'

const TLS: Record<string, TlsMode> = {
  disable: 'off',
  prefer: 'try',
  allow: 'try',
  require: 'on',
  'verify-ca': 'verify',
  'verify-full': 'verify',
}

/** `invalid_request` for the URL of a database; `message` continues "url …". */
export const invalidDatabaseUrl = (message: string): AppError => invalidRequest([{ path: ['url'], message }])

/** A percent-decoded part of a URL. Throws `invalid_request`. */
function decode(part: string, name: string): string {
  try {
    const text = decodeURIComponent(part)
    if (!/\p{Cc}/u.test(text)) return text
  } catch {
    // A % that does not begin an encoded character.
  }
  throw invalidDatabaseUrl(`has an invalid ${name}: percent-encode its special characters, a % as %25`)
}

/**
 * Parses a database URL. Every part is required: for a missing one the driver would use the
 * settings of this server.
 * Throws `invalid_request`.
 */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.hostname === '')
    throw invalidDatabaseUrl('must be a postgresql://user:password@host:port/name URL')
  const { sslmode = 'prefer', ...rest } = Object.fromEntries(url.searchParams)
  const other = Object.keys(rest)[0]
  if (other) throw invalidDatabaseUrl(`has the parameter ${other}; only sslmode is allowed`)
  const tls = Object.hasOwn(TLS, sslmode) ? TLS[sslmode] : undefined
  if (!tls) throw invalidDatabaseUrl(`has sslmode=${sslmode}; use one of ${Object.keys(TLS).join(', ')}`)
  const database = decode(url.pathname.slice(1), 'database name')
  if (database === '') throw invalidDatabaseUrl('must end with the name of the database')
  const user = decode(url.username, 'user')
  const password = decode(url.password, 'password')
  if (user === '' || password === '') throw invalidDatabaseUrl('must contain both the user and the password')
  return { host: url.hostname, port: Number(url.port || 5432), user, password, database, tls }
}

/** What people see of a database: its address without credentials. */
export const databaseLabel = ({ host, port, database }: DatabaseAddress): string => `${host}:${port}/${database}`

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { takePort } from '../support/ports'
import type { CheckContext } from './check'
import { commandPath, postgresUser } from './debian'
import type { DebianPostgres } from './postgres'

type Wanted = {
  postgres: DebianPostgres
  mode: 'session' | 'transaction'
  /** What is said of each of its databases, all of which are `tollgate`. */
  databases: Readonly<Record<string, string>>
  /** Another line of its settings. */
  more?: string
}

/** Starts PgBouncer. `url` is that of one of its databases. */
export async function startPgBouncer(
  { folder, startDaemon }: CheckContext,
  { postgres, mode, databases, more = '' }: Wanted,
): Promise<{ url: (database: string) => string }> {
  const port = await takePort()
  const name = `pgbouncer-${port}`
  const file = path.join(folder, `${name}.ini`)
  const server = `host=127.0.0.1 port=${postgres.port} dbname=tollgate user=tollgate`
  const lines = [
    '[databases]',
    ...Object.entries(databases).map(([database, options]) => `${database} = ${server} ${options}`),
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    'max_client_conn = 400',
    'default_pool_size = 150',
    more,
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  await startDaemon({
    name,
    command: commandPath('pgbouncer'),
    args: [file],
    user: postgresUser(),
    isReady: (log) => log.includes('process up'),
  })
  return { url: (database) => `postgresql://tollgate@127.0.0.1:${port}/${database}` }
}

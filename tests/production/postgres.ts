import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { takePort } from '../support/ports'
import { queryOnce } from '../support/query-once'
import type { CheckContext } from './check'
import { runCommand } from './configuration'
import { commandPath, postgresUser } from './debian'

/** A PostgreSQL of Debian's without passwords, with a database and a role `tollgate`. */
export type DebianPostgres = {
  port: number
  /** Its data folder. */
  data: string
  /** As the role `tollgate`; as the superuser for the database `postgres`. */
  url: (database: string) => string
}

/** Starts PostgreSQL as an ordinary user. */
export async function startPostgres({ folder, startDaemon }: CheckContext): Promise<DebianPostgres> {
  const user = postgresUser()
  const home = path.join(folder, 'postgres')
  mkdirSync(home)
  chmodSync(home, 0o700)
  if (user.uid !== undefined && user.gid !== undefined) chownSync(home, user.uid, user.gid)
  const data = path.join(home, 'data')
  const port = await takePort()
  const url = (database: string) =>
    `postgresql://${database === 'postgres' ? 'postgres' : 'tollgate'}@127.0.0.1:${port}/${database}`
  runCommand(commandPath('initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'], user)
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '300', fsync: 'off' }
  await startDaemon({
    name: 'postgres',
    command: commandPath('postgres'),
    args: [
      '-D',
      data,
      '-p',
      String(port),
      ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ],
    user,
    isReady: (log) => log.includes('ready to accept connections'),
  })
  await queryOnce(url('postgres'), 'CREATE ROLE tollgate LOGIN')
  await queryOnce(url('postgres'), 'CREATE DATABASE tollgate OWNER tollgate')
  return { port, data, url }
}

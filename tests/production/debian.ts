import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

/** Each command that checks run, with the Debian package that brings it. */
const PACKAGES = {
  caddy: 'caddy',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  initdb: 'postgresql-15',
  nginx: 'nginx',
  patroni: 'patroni',
  patronictl: 'patroni',
  pgbouncer: 'pgbouncer',
  postgres: 'postgresql-15',
  prometheus: 'prometheus',
  promtool: 'prometheus',
} as const

export type DebianCommand = keyof typeof PACKAGES

/** Debian keeps these out of an ordinary user's PATH. */
const MORE_FOLDERS = ['/usr/sbin', '/usr/lib/postgresql/15/bin']

const foldersOfPath = (): string[] => [...(process.env.PATH ?? '').split(path.delimiter), ...MORE_FOLDERS]

const findCommand = (name: string): string | undefined =>
  foldersOfPath()
    .map((folder) => path.join(folder, name))
    .find(existsSync)

/** The packages to install before these commands can run. */
export const missingPackages = (commands: readonly DebianCommand[]): string[] => [
  ...new Set(commands.filter((command) => !findCommand(command)).map((command) => PACKAGES[command])),
]

/** The path of a command that was needed. */
export function commandPath(command: DebianCommand): string {
  const found = findCommand(command)
  if (!found) throw new Error(`${command} is missing: list it in the check's needs.`)
  return found
}

/** PostgreSQL refuses to run as root: its package brings a user. Others run it as themselves. */
export function postgresUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (option: string) => Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}

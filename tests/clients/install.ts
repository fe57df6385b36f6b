import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

/**
 * A program of npm, in exactly this version; `with`: packages that are installed beside it. A
 * library has no command.
 */
export type Client = { name: string; version: string; bin?: string; with?: readonly string[] }

const MARK = '.complete'

/** Where clients are kept between runs: they are large. */
const folderOf = ({ name, version }: Client): string =>
  path.resolve(process.env.CLIENTS_DIR ?? '.data/clients', `${name.replaceAll('/', '__')}@${version}`)

/** Installs a client, once, outside the project's own packages. Returns the path of its command. */
export async function installClient(client: Client & { bin: string }): Promise<string> {
  return path.join(await installFolder(client), 'node_modules', '.bin', client.bin)
}

/** The same for a library. Returns the folder that programs with it run in. */
export async function installFolder(client: Client): Promise<string> {
  const folder = folderOf(client)
  if (existsSync(path.join(folder, MARK))) return folder
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{"private": true}')
  const args = [
    'install',
    '--save-exact',
    '--no-audit',
    '--no-fund',
    `${client.name}@${client.version}`,
    ...(client.with ?? []),
  ]
  await promisify(execFile)('npm', args, { cwd: folder, maxBuffer: 16 * 1024 * 1024 })
  writeFileSync(path.join(folder, MARK), '')
  return folder
}

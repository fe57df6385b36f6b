import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

/** A program of npm, in exactly this version. */
export type Client = { name: string; version: string; bin: string }

const MARK = '.complete'

/** Where clients are kept between runs: they are large. */
const folderOf = ({ name, version }: Client): string =>
  path.resolve(process.env.CLIENTS_DIR ?? '.data/clients', `${name.replaceAll('/', '__')}@${version}`)

/** Installs a client, once, outside the project's own packages. Returns the path of its command. */
export async function installClient(client: Client): Promise<string> {
  const folder = folderOf(client)
  const command = path.join(folder, 'node_modules', '.bin', client.bin)
  if (existsSync(path.join(folder, MARK))) return command
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{"private": true}')
  const args = ['install', '--save-exact', '--no-audit', '--no-fund', `${client.name}@${client.version}`]
  await promisify(execFile)('npm', args, { cwd: folder, maxBuffer: 16 * 1024 * 1024 })
  writeFileSync(path.join(folder, MARK), '')
  return command
}

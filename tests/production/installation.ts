import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import { migrationNames } from '../../server/cli/migrations/files'

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

/** Packs this checkout into a folder. */
export async function installPacked(folder: string): Promise<Installation> {
  await run('npm', ['run', '--silent', 'pack', '--', '--with-sandbox', '--to', folder], {
    cwd: PROJECT_ROOT,
    maxBuffer: 1e8,
  })
  return installationIn(folder)
}

/**
 * A release that comes after another, in a folder beside it: the same programs with more
 * migrations, which works with releases that know `compatibleFrom`.
 */
export async function installNext(
  former: Installation,
  migrations: Record<string, string>,
  compatibleFrom: string,
): Promise<Installation> {
  const folder = `${former.folder}-next`
  // As links: nothing in it is changed but the migrations.
  await run('cp', ['--archive', '--link', former.folder, folder])
  const into = path.join(folder, 'prisma', 'migrations')
  rmSync(into, { recursive: true })
  cpSync(path.join(former.folder, 'prisma', 'migrations'), into, { recursive: true })
  for (const [name, sql] of Object.entries(migrations)) {
    mkdirSync(path.join(into, name))
    writeFileSync(path.join(into, name, 'migration.sql'), sql)
  }
  writeFileSync(path.join(into, 'compatible-from'), `${compatibleFrom}\n`)
  return installationIn(folder)
}

/** The newest migration of an installation. */
export const newestMigration = ({ folder }: Installation): string =>
  migrationNames(path.join(folder, 'prisma', 'migrations')).at(-1) ?? ''

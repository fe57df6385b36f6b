import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { CliError, dataPath, PROJECT_ROOT } from './kit/project'
import { writePrivateFile } from './kit/settings'

const CREDITS = 100_000

/** The owner and the key of the first run, kept because a key is shown only once. */
export type DemoAccount = { email: string; password: string; key: string }

const file = () => dataPath('quickstart.json')

/**
 * The kept demo owner while its key is good at `baseUrl`; else a new key for it, or a new owner
 * altogether.
 */
export async function ensureDemoAccount(baseUrl: string): Promise<DemoAccount> {
  const kept = readDemo()
  if (kept && (await isGoodKey(baseUrl, kept.key))) return kept
  const demo = (kept && (await renewKey(kept))) ?? (await makeDemo())
  writePrivateFile(file(), `${JSON.stringify(demo, null, 2)}\n`)
  return demo
}

function readDemo(): DemoAccount | null {
  if (!existsSync(file())) return null
  try {
    return JSON.parse(readFileSync(file(), 'utf8')) as DemoAccount
  } catch {
    return null
  }
}

async function isGoodKey(baseUrl: string, key: string): Promise<boolean> {
  const answer = await fetch(`${baseUrl}/api/v1/key`, { headers: { authorization: `Bearer ${key}` } })
  return answer.status !== 401
}

/** Null when the owner is not in this database. */
async function renewKey({ email, password }: DemoAccount): Promise<DemoAccount | null> {
  try {
    return { email, password, key: await makeKey(email) }
  } catch {
    return null
  }
}

async function makeDemo(): Promise<DemoAccount> {
  const password = randomBytes(9).toString('base64url')
  const email = await makeOwner(password)
  await admin('credits', 'grant', '--email', email, '--credits', String(CREDITS), '--note', 'quickstart')
  return { email, password, key: await makeKey(email) }
}

/** The command that makes an owner. The password may begin with a dash, as an option does. */
export const createOwnerArgs = (email: string, password: string): string[] => [
  ...['owner', 'create', '--email', email, `--password=${password}`, '--admin'],
]

/**
 * owner@example.com, or a name beside it when the database has that one with a password nobody
 * kept.
 */
async function makeOwner(password: string): Promise<string> {
  const names = ['owner', `owner-${randomBytes(3).toString('hex')}`]
  let failure: unknown
  for (const email of names.map((name) => `${name}@example.com`)) {
    try {
      await admin(...createOwnerArgs(email, password))
      return email
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

async function makeKey(email: string): Promise<string> {
  const made = await admin(
    'key',
    'create',
    '--email',
    email,
    '--name',
    'quickstart',
    '--tools',
    'all',
    '--llm',
    '--agent',
  )
  if (typeof made.key !== 'string') throw new CliError('The admin command made no key')
  return made.key
}

/** One command of the operator's CLI, by its JSON. */
function admin(...args: string[]): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const entry = path.join(PROJECT_ROOT, 'dist', 'admin.js')
    execFile(process.execPath, [entry, ...args, '--json'], { cwd: PROJECT_ROOT }, (error, stdout, stderr) => {
      if (!error) return resolve(JSON.parse(stdout) as Record<string, unknown>)
      const message = (stderr.trim() || stdout.trim()).split('\n').at(-1)
      reject(new CliError(`npm run admin -- ${args.slice(0, 2).join(' ')} failed: ${message}`))
    })
  })
}

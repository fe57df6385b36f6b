import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_ROOT } from '../../server/cli/kit/project'

/**
 * Copies a file of `deploy/`, with what belongs to this machine in place of what stands for the
 * operator's. Returns the path of the copy. Throws when a text to replace is not there, so a file
 * and its check cannot differ unseen.
 */
export function adaptConfiguration(file: string, folder: string, replacements: Record<string, string>): string {
  let text = readFileSync(path.join(PROJECT_ROOT, 'deploy', file), 'utf8')
  for (const [from, to] of Object.entries(replacements)) {
    if (!text.includes(from)) throw new Error(`deploy/${file} does not contain "${from}".`)
    text = text.replaceAll(from, to)
  }
  const target = path.join(folder, file.replaceAll('/', '-'))
  writeFileSync(target, text)
  return target
}

/**
 * The variables of an environment file of `deploy/`, with this machine's values for some of them.
 * Throws for a value that the file does not have.
 */
export function adaptEnvironment(file: string, values: Record<string, string>): Record<string, string> {
  const lines = readFileSync(path.join(PROJECT_ROOT, 'deploy', file), 'utf8').split('\n')
  const pairs = lines.filter((line) => line.includes('=') && !line.startsWith('#'))
  const given = Object.fromEntries(
    pairs.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  const unknown = Object.keys(values).filter((name) => !(name in given))
  if (unknown.length > 0) throw new Error(`deploy/${file} does not set ${unknown.join(', ')}.`)
  return { ...given, ...values }
}

type CommandSettings = { env?: Record<string, string>; uid?: number; gid?: number }

function endOf(command: string, args: readonly string[], { env, ...user }: CommandSettings) {
  const { status, stdout, stderr, error } = spawnSync(command, [...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    ...user,
  })
  return { status, stdout, said: `${error?.message ?? stderr}${stdout}` }
}

/** Runs a command to its end and returns what it printed; throws that when it fails. */
export function runCommand(command: string, args: readonly string[], settings: CommandSettings = {}): string {
  const { status, stdout, said } = endOf(command, args, settings)
  if (status !== 0) throw new Error(`${path.basename(command)} ${args.join(' ')}: ${said}`)
  return stdout
}

/** Runs a command that must fail, and returns what it said. */
export function runFailingCommand(command: string, args: readonly string[], settings: CommandSettings = {}): string {
  const { status, said } = endOf(command, args, settings)
  if (status === 0) throw new Error(`${path.basename(command)} ${args.join(' ')} did not fail: ${said}`)
  return said
}

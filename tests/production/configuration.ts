import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_ROOT } from '../../server/cli/project'

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

/** Runs a command to its end and returns what it printed; throws that when it fails. */
export function runCommand(command: string, args: readonly string[], env: Record<string, string> = {}): string {
  const { status, stdout, stderr, error } = spawnSync(command, [...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  if (status !== 0) throw new Error(`${path.basename(command)} ${args.join(' ')}: ${error?.message ?? stderr}${stdout}`)
  return stdout
}

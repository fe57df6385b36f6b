import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { PROJECT_ROOT } from '../../server/cli/kit/project'

/** What an operator's command printed, and its exit code. */
export type AdminRun = { code: number | null; stdout: string; stderr: string }

/**
 * Runs `npm run admin -- <args>` as the process it starts, on the test file's database. `input` is
 * sent on stdin.
 */
export async function runAdmin(args: readonly string[], { input = '', env = {} } = {}): Promise<AdminRun> {
  const entry = path.join(PROJECT_ROOT, 'dist', 'admin.js')
  if (!existsSync(entry)) throw new Error('Run npm run build first: this test starts the built command.')
  const child = spawn(process.execPath, ['--enable-source-maps', entry, ...args], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, ...env },
  })
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, stdout, stderr }
}

/** The same with --json: the one object on stdout, whatever the exit code. */
export async function runAdminJson(
  args: readonly string[],
  options: Parameters<typeof runAdmin>[1] = {},
): Promise<Record<string, unknown> & { code: number | null }> {
  const { code, stdout } = await runAdmin([...args, '--json'], options)
  return { ...(JSON.parse(stdout) as Record<string, unknown>), code }
}

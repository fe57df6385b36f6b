import { execFile } from 'node:child_process'
import { PROJECT_ROOT } from '../../server/cli/kit/project'

/** What a command printed, and its exit code. */
export type EndedCommand = { code: number; stdout: string; stderr: string }

/** Runs a command in the project's folder to its end; `env` is added to this process's. */
export const runToEnd = (
  command: string,
  words: readonly string[],
  env: Record<string, string | undefined>,
): Promise<EndedCommand> =>
  new Promise((resolve) => {
    execFile(command, words, { cwd: PROJECT_ROOT, env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      resolve({ code: error ? (typeof error.code === 'number' ? error.code : 1) : 0, stdout, stderr })
    })
  })

import { spawn } from 'node:child_process'
import { PROJECT_ROOT } from '../../server/cli/kit/project'

/** A process that the benchmark compares with; `end` ends it by its id. */
export type OtherProcess = { pid: number; end: () => void }

/** Starts our Node or another with `args` in the project's folder, as in production. */
export function startOtherProcess(args: readonly string[], node = process.execPath): OtherProcess {
  const env = { ...process.env, NODE_ENV: 'production' as const }
  const child = spawn(node, args, { cwd: PROJECT_ROOT, env, stdio: 'ignore' })
  return { pid: child.pid ?? 0, end: () => void child.kill('SIGKILL') }
}

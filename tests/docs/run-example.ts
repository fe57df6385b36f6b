import { execFile } from 'node:child_process'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import type { GuideExample } from '../../server/guides/shape'

export type ExampleRun = {
  /** What it printed. */
  output: string
  /** Null where it was ended by a signal. */
  exitCode: number | null
  /** The statuses of its requests with curl, in order. */
  statuses: number[]
  /** What it wrote to stderr, to show where it fails. */
  errors: string
}

/** Curl says on stderr which status came back; variables are kept for the shell after this one. */
const shell = (code: string, kept: string) => `
touch ${kept}; . ${kept}
curl() { command curl -sS -w '%{stderr}<status %{http_code}>\\n' "$@"; }
trap 'export -p > ${kept}' EXIT
set -eo pipefail -a
${code}`

/** A program of another language, with the variables of the shells before it. */
const program = (command: string, kept: string) => `touch ${kept}; . ${kept}; exec ${command}`

const COMMANDS: Record<string, string> = {
  ts: `"${process.execPath}" --input-type=module-typescript -`,
  js: `"${process.execPath}" --input-type=module -`,
  py: 'python3 -',
}

/**
 * Runs an example as its reader would. `kept`: a file that examples of a guide share, for their
 * variables. Rejects where the language has no runner.
 */
export function runExample(
  { language, code }: GuideExample,
  { kept, key, managementKey }: { kept: string; key: string; managementKey: string },
): Promise<ExampleRun> {
  const command = COMMANDS[language]
  if (language !== 'sh' && !command) return Promise.reject(new Error(`Nothing runs examples in "${language}".`))
  const script = command ? program(command, kept) : shell(code, kept)
  // Nothing of this process but what a reader's shell has too.
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, NODE_ENV: 'production' as const, TOLLGATE_KEY: key, TOLLGATE_MANAGEMENT_KEY: managementKey }
  return new Promise((resolve) => {
    const child = execFile('bash', ['-c', script], { cwd: PROJECT_ROOT, env }, (error, output, errors) => {
      const statuses = [...errors.matchAll(/<status (\d+)>/g)].map(([, status]) => Number(status))
      const exitCode = error ? (typeof error.code === 'number' ? error.code : null) : 0
      resolve({ output, exitCode, statuses, errors })
    })
    child.stdin?.end(command ? code : '')
  })
}

import { Bash, type CommandName, getCommandNames } from 'just-bash'
import { POD_HOME, type PodFiles, type PodOutcome } from '../pod-files'
import { boxedPython } from './boxed-python'
import { readEntries, writeEntries } from './fs-entries'
import { PodFs } from './pod-fs'
import { keepPythonWaiting } from './python-waits'

keepPythonWaiting()

const MIB = 1024 * 1024

/** Characters that are kept of each output stream. */
export const MAX_OUTPUT_CHARS = 64 * 1024

/** Bytes of all files while a command runs. The limit for storing them is lower. */
const MAX_LIVE_BYTES = 64 * MIB

/** Commands that start engines, and network. Python comes with an option of its own. */
const EXCLUDED = new Set(['sqlite3', 'python', 'python3', 'js-exec', 'node', 'curl'])

const COMMANDS = getCommandNames().filter((name) => !EXCLUDED.has(name)) as CommandName[]

const LIMITS = {
  maxCommandCount: 200_000,
  maxLoopIterations: 200_000,
  maxAwkIterations: 1_000_000,
  maxSedIterations: 1_000_000,
  maxFileSystemBytes: MAX_LIVE_BYTES,
  maxLiveBytes: 4 * MAX_LIVE_BYTES,
  maxInputBytes: 4 * MAX_LIVE_BYTES,
  maxArchiveBytes: MAX_LIVE_BYTES,
  maxOutputSize: 32 * MIB,
  maxExecutionTimeMs: Number.POSITIVE_INFINITY,
  // The command's own time limit ends this thread, and with it that of Python.
  maxPythonTimeoutMs: 120_000,
}

export type ShellTask = {
  command: string
  /** Whether Python is the machine's own, in a box, instead of the portable one. */
  systemPython: boolean
}

/**
 * Runs a command in bash and its tools written in JavaScript, over files in memory. The portable
 * Python is CPython as WebAssembly, in a thread that this one starts and that has no network and no
 * other files; its build bounds its memory at 512 MiB.
 */
export async function runBash({ command, systemPython }: ShellTask, files: PodFiles, cwd: string): Promise<PodOutcome> {
  const fs = new PodFs({}, { maxTotalBytes: MAX_LIVE_BYTES })
  for (const folder of [POD_HOME, '/tmp']) await fs.mkdir(folder, { recursive: true })
  await writeEntries(fs, files)
  const bash = new Bash({
    fs,
    cwd: (await fs.exists(cwd)) ? cwd : POD_HOME,
    env: { HOME: POD_HOME, USER: 'user', PATH: '/usr/bin:/bin', TZ: 'UTC', LANG: 'C.UTF-8' },
    commands: COMMANDS,
    executionLimitProfile: 'hardened',
    executionLimits: LIMITS,
    python: !systemPython,
    customCommands: systemPython ? [boxedPython('python3', fs), boxedPython('python', fs)] : [],
    javascript: false,
  })
  const { stdout, stderr, exitCode, env } = await bash.exec(command, { rawScript: true })
  return {
    stdout: truncateOutput(stdout),
    stderr: truncateOutput(stderr.replaceAll(OF_BROWSERS, '')) + hintFor(stderr),
    exitCode,
    files: await readEntries(fs),
    cwd: await folderOf(fs, env.PWD),
  }
}

/** What the package says of a command that it has elsewhere. */
const OF_BROWSERS = / in browser environments\. Exclude '[^']*' from your commands or use the Node\.js bundle\./g

/** Says what there is where a command was called that is not; empty: none was. */
const hintFor = (stderr: string): string =>
  /: command not (found|available)/.test(stderr)
    ? `There is no network and nothing to install. These commands are there: python3 ${COMMANDS.join(' ')}. Sums over rows: dataset_create and SQL with dataset_query.\n`
    : ''

/**
 * The current folder afterwards; the home folder where a script deleted it or set PWD to something
 * else.
 */
async function folderOf(fs: PodFs, name = ''): Promise<string> {
  if (!name.startsWith('/') || name.includes('\0')) return POD_HOME
  const stat = await fs.stat(name).catch(() => null)
  return stat?.isDirectory ? fs.resolvePath('/', name) : POD_HOME
}

/** Output as text that the database accepts, truncated with a note where it is too long. */
function truncateOutput(text: string): string {
  const cut =
    text.length > MAX_OUTPUT_CHARS
      ? `${text.slice(0, MAX_OUTPUT_CHARS)}\n[${text.length - MAX_OUTPUT_CHARS} more characters were truncated]`
      : text
  return cut.replaceAll('\0', '\ufffd').toWellFormed()
}

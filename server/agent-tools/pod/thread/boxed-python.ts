import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { type Command, type CommandContext, defineCommand, latin1FromBytes } from 'just-bash'
import { z } from 'zod'
import { watchMemory } from '../../../kit/process-memory'
import type { PodEntry } from '../pod-files'
import { BOX_ENV, boxFolders, pythonInBox } from '../python-box'
import { readEntries, writeEntries } from './fs-entries'
import type { PodFs } from './pod-fs'
import { BRIDGE } from './python-bridge'

/** Bytes that are read of each thing a box says; then it is stopped. */
const MAX_BYTES = { output: 32 * 1024 * 1024, files: 160 * 1024 * 1024 }

/** What the processes of a box may take together; each of them may take as much. */
const MEMORY = { maxMiB: 1024, everyMs: 100 }

const Mode = z.int().min(0).max(0o7777)
const Entry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('folder'), mode: Mode }),
  z.object({ kind: z.literal('link'), to: z.string() }),
  z.object({ kind: z.literal('file'), mode: Mode, mtimeMs: z.number(), base64: z.base64() }),
])

/** What is said from inside a box at its end: all paths that are there, and what is new of them. */
const Left = z.object({ code: z.int(), paths: z.array(z.string()), changed: z.array(z.tuple([z.string(), Entry])) })

/**
 * The machine's own Python as a command of the shell over `fs`. The shell's files are carried into
 * a box and back: a program sees nothing of the machine, and the shell has what it leaves.
 */
export const boxedPython = (name: string, fs: PodFs): Command =>
  defineCommand(name, async (args, context) => {
    const all = await readEntries(fs)
    const folders = boxFolders([...all].flatMap(([path, { kind }]) => (kind === 'folder' ? [path] : [])))
    const isInBox = (path: string) => folders.some((folder) => path.startsWith(`${folder}/`))
    const before = new Map([...all].filter(([path]) => isInBox(path)))
    const { exportedEnv = {}, cwd } = context
    const task = JSON.stringify({ args, cwd, env: exportedEnv, folders, entries: [...before].map(toJson) })
    const { left, why, ...done } = await runInBox(folders, task, context)
    if (!left)
      return { ...done, exitCode: 137, stderr: `${done.stderr}${name}: stopped${why}; what it wrote is lost\n` }
    const kept = new Set(left.paths)
    const changed = new Map(left.changed.filter(([path]) => isInBox(path)).map(fromJson))
    for (const path of [...before.keys()].reverse()) {
      const [was, is] = [before.get(path)?.kind, changed.get(path)?.kind]
      const isReplaced = is !== undefined && !(was === 'folder' && is === 'folder')
      if (isReplaced || !kept.has(path)) await fs.rm(path, { recursive: true, force: true })
    }
    await writeEntries(fs, changed)
    return { ...done, exitCode: left.code }
  })

const toJson = ([path, entry]: readonly [string, PodEntry]) =>
  entry.kind === 'file'
    ? [path, { ...entry, bytes: undefined, base64: Buffer.from(entry.bytes).toString('base64') }]
    : [path, entry]

function fromJson([path, entry]: z.infer<typeof Left>['changed'][number]): [string, PodEntry] {
  if (entry.kind !== 'file') return [path, entry]
  const { base64, ...file } = entry
  return [path, { ...file, bytes: new Uint8Array(Buffer.from(base64, 'base64')) }]
}

/**
 * Runs a program in a box. One whose command was aborted is not begun, or left at once: the shell
 * gives up a whole script over a command that takes its time to end.
 *
 * A box that is still being made does not end with the process that makes it. So it gets what it is
 * to run when it has said that it is there, and until then has a process group of its own to be
 * ended by.
 */
async function runInBox(folders: readonly string[], task: string, { stdin, signal }: CommandContext) {
  if (signal?.aborted) return { stdout: '', stderr: '', left: undefined, why: '' }
  const [program, args] = pythonInBox(folders, ['-I', '-c', BRIDGE])
  const options: SpawnOptions = { stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'], env: BOX_ENV, detached: true }
  const child: ChildProcess = spawn(program, args, options)
  const stop = () => {
    endGroup(child)
    for (const stream of child.stdio) stream?.destroy()
  }
  signal?.addEventListener('abort', stop)
  const watching = new AbortController()
  let why = ''
  const tooMuch = () => {
    why = ': its processes took more than 1 GiB of memory'
    endGroup(child)
  }
  if (child.pid !== undefined) void watchMemory(child.pid, MEMORY, watching.signal, tooMuch)
  try {
    give(child, 0, Buffer.from(latin1FromBytes(stdin), 'latin1'))
    const begin = () => give(child, 3, task)
    const [stdout, stderr, said] = await Promise.all([
      take(child, 1, MAX_BYTES.output),
      take(child, 2, MAX_BYTES.output),
      take(child, 4, MAX_BYTES.files, begin),
    ])
    return {
      why,
      stdout: stdout.toString('latin1'),
      stdoutKind: 'bytes' as const,
      stderr: stderr.toString(),
      left: Left.safeParse(parse(said)).data,
    }
  } finally {
    watching.abort()
    signal?.removeEventListener('abort', stop)
    stop()
  }
}

/** Ends a program, unless it has ended, with what it has started in its group. */
function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It ends at this moment.
  }
}

/** Writes to a descriptor of a program, which may end without having read it. */
function give({ stdio }: ChildProcess, descriptor: number, content: Buffer | string): void {
  const stream = stdio[descriptor] as Writable
  stream.on('error', () => {})
  stream.end(content)
}

/**
 * All that a program writes to a descriptor until it ends or is stopped, as one is that writes more
 * than `max` bytes. `onBegin` is called when it has written something.
 */
async function take(child: ChildProcess, descriptor: number, max: number, onBegin?: () => void): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of child.stdio[descriptor] as Readable) {
      if (parts.length === 0) onBegin?.()
      parts.push(part)
      bytes += part.length
      if (bytes > max) endGroup(child)
    }
  } catch {
    // The stream was closed by `stop`.
  }
  return Buffer.concat(parts)
}

function parse(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString())
  } catch {
    return null
  }
}

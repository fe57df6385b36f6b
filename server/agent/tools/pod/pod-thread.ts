// The thread in which one command runs. It is started from this very file, so it imports packages and types alone.
import { parentPort, workerData } from 'node:worker_threads'
import { Bash, type CommandName, type CpOptions, getCommandNames, InMemoryFs } from 'just-bash'
import type { PodEntry, PodFiles, PodOutcome } from './driver'

export type PodJob = {
  command: string
  files: PodFiles
  cwd: string
  home: string
  /** Folders that are the system's. */
  system: readonly string[]
  maxBytes: number
  maxOutput: number
}

const MIB = 1024 * 1024

/** What would start threads or an engine of its own, whose memory no limit of this thread covers. */
const LEFT_OUT = new Set(['sqlite3', 'python', 'python3', 'js-exec', 'node', 'curl'])

const { command, files, cwd, home, system, maxBytes, maxOutput } = workerData as PodJob

/** The package's file system reads through links but writes beside them; here both go where a link leads. */
class PodFs extends InMemoryFs {
  #hasLinks = false

  /** Where a path leads; its last part is followed too unless it is meant itself. */
  async #where(path: string, isMeantItself = false): Promise<string> {
    if (!this.#hasLinks) return path
    let done = ''
    let left = this.resolvePath('/', path).split('/').slice(1)
    for (let links = 0; left.length > 0 && links < 40; ) {
      const [part = '', ...rest] = left
      const next = `${done}/${part}`
      const to = isMeantItself && rest.length === 0 ? null : await this.readlink(next).catch(() => null)
      links += to === null ? 0 : 1
      left =
        to === null
          ? rest
          : [
              ...this.resolvePath(done || '/', to)
                .split('/')
                .slice(1),
              ...rest,
            ]
      done = to === null ? next : ''
    }
    return left.length > 0 ? path : done
  }

  override async writeFile(path: string, ...rest: Rest<'writeFile'>) {
    return super.writeFile(await this.#where(path), ...rest)
  }
  override async appendFile(path: string, ...rest: Rest<'appendFile'>) {
    return super.appendFile(await this.#where(path), ...rest)
  }
  override async mkdir(path: string, ...rest: Rest<'mkdir'>) {
    return super.mkdir(await this.#where(path), ...rest)
  }
  override async chmod(path: string, mode: number) {
    return super.chmod(await this.#where(path), mode)
  }
  override async utimes(path: string, ...rest: Rest<'utimes'>) {
    return super.utimes(await this.#where(path), ...rest)
  }
  override async rm(path: string, ...rest: Rest<'rm'>) {
    return super.rm(await this.#where(path, true), ...rest)
  }
  override async cp(from: string, to: string, options?: CpOptions) {
    return super.cp(await this.#where(from, true), await this.#where(to), options)
  }
  override async mv(from: string, to: string) {
    return super.mv(await this.#where(from, true), await this.#where(to, true))
  }
  override async link(from: string, to: string) {
    return super.link(await this.#where(from), await this.#where(to, true))
  }
  override async symlink(target: string, path: string) {
    this.#hasLinks = true
    return super.symlink(target, await this.#where(path, true))
  }
}

/** What a method takes after its path. */
type Rest<K extends 'writeFile' | 'appendFile' | 'mkdir' | 'utimes' | 'rm'> =
  Parameters<InMemoryFs[K]> extends [string, ...infer Others] ? Others : never

const fs = new PodFs({}, { maxTotalBytes: maxBytes })
for (const folder of [home, '/tmp']) await fs.mkdir(folder, { recursive: true })
await put(files)

const bash = new Bash({
  fs,
  cwd: (await fs.exists(cwd)) ? cwd : home,
  env: { HOME: home, USER: 'user', PATH: '/usr/bin:/bin', TZ: 'UTC', LANG: 'C.UTF-8' },
  commands: getCommandNames().filter((name) => !LEFT_OUT.has(name)) as CommandName[],
  executionLimitProfile: 'hardened',
  executionLimits: {
    maxCommandCount: 200_000,
    maxLoopIterations: 200_000,
    maxAwkIterations: 1_000_000,
    maxSedIterations: 1_000_000,
    maxFileSystemBytes: maxBytes,
    maxLiveBytes: 4 * maxBytes,
    maxInputBytes: 4 * maxBytes,
    maxArchiveBytes: maxBytes,
    maxOutputSize: 32 * MIB,
    maxExecutionTimeMs: Number.POSITIVE_INFINITY,
  },
  python: false,
  javascript: false,
})
const { stdout, stderr, exitCode, env } = await bash.exec(command, { rawScript: true })
const outcome: PodOutcome = {
  stdout: shown(stdout),
  stderr: shown(stderr),
  exitCode,
  files: await take(),
  cwd: await folderOf(env.PWD),
}
parentPort?.postMessage(outcome)

/** The folder the shell is in afterwards; home where a script made that name up, or took the folder away. */
async function folderOf(name = ''): Promise<string> {
  if (!name.startsWith('/') || name.includes('\0')) return home
  const stat = await fs.stat(name).catch(() => null)
  return stat?.isDirectory ? fs.resolvePath('/', name) : home
}

/** Output as text that any database takes, cut where it is too long, with a note that says so. */
function shown(text: string): string {
  const cut =
    text.length > maxOutput
      ? `${text.slice(0, maxOutput)}\n[${text.length - maxOutput} more characters were cut]`
      : text
  return cut.replaceAll('\0', '\ufffd').toWellFormed()
}

async function put(given: PodFiles): Promise<void> {
  for (const [path, entry] of given) {
    if (entry.kind === 'folder') {
      await fs.mkdir(path, { recursive: true })
      await fs.chmod(path, entry.mode)
    } else if (entry.kind === 'file') {
      fs.writeFileSync(path, entry.bytes, undefined, { mode: entry.mode, mtime: new Date(entry.mtimeMs) })
    } else {
      await fs.symlink(entry.to, path)
    }
  }
}

async function take(): Promise<PodFiles> {
  const found = new Map<string, PodEntry>()
  for (const path of fs.getAllPaths().sort()) {
    if (path === '/' || system.some((folder) => path === folder || path.startsWith(`${folder}/`))) continue
    const stat = await fs.lstat(path)
    const mode = stat.mode & 0o777
    if (stat.isSymbolicLink) found.set(path, { kind: 'link', to: await fs.readlink(path) })
    else if (stat.isDirectory) found.set(path, { kind: 'folder', mode })
    else found.set(path, { kind: 'file', bytes: await fs.readFileBuffer(path), mode, mtimeMs: stat.mtime.getTime() })
  }
  return found
}

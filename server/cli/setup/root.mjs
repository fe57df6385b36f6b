import { existsSync } from 'node:fs'
import path from 'node:path'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'

/** @type {(folder: string) => string} */
const rootFrom = (folder) => (existsSync(path.join(folder, 'package.json')) ? folder : rootFrom(path.dirname(folder)))

/**
 * The project's folder, from the source tree and from `dist/` alike. Code beside this file runs
 * before anything is installed: it imports only Node.
 */
const ROOT = rootFrom(path.dirname(fileURLToPath(import.meta.url)))

/** @param {string[]} names */
export const at = (...names) => path.join(ROOT, ...names)

/** The Node that the lock file pins; every process runs on it. */
export const NODE = at('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/**
 * The Node for built processes: an installation without development packages has no pinned one, and
 * runs on the host's. Null: that is too old, or nothing is installed.
 */
export function runtime() {
  if (existsSync(NODE)) return NODE
  const isRecent = Number.parseInt(process.versions.node, 10) >= 24
  return isRecent && existsSync(at('node_modules')) ? process.execPath : null
}

/** Whether the tools that build, test and run the sources are installed. */
export const hasDevelopmentTools = () => existsSync(at('node_modules', 'tsx'))

/**
 * Node's options for the processes that serve. By default V8 compiles hot WebAssembly a second
 * time, which for PostgreSQL's grammar takes 100 to 500 MB for a moment and more time than it
 * saves: a small query of a dataset costs half without it. A smaller young generation than the
 * default is not worth it: 8 MB semi-spaces saved 40 to 140 MB under load, for 10 to 30 % more CPU
 * time a call (tests/bench/HISTORY.md).
 */
export const SERVICE_OPTIONS = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']

/**
 * Where Node keeps compiled code, for NODE_COMPILE_CACHE: beside `dist/`, if that can be written.
 * It saves half of what a start takes.
 */
export const compileCache = () => process.env.NODE_COMPILE_CACHE ?? at('dist', '.compiled')

/** Whether somebody started this at a terminal, whose end is a SIGHUP too. */
export const hasTerminal = () => [0, 1, 2].some((fd) => isatty(fd))

const BIN = at('node_modules', '.bin')

const withoutOurs = () =>
  (process.env.PATH ?? '').split(path.delimiter).filter((folder) => !folder.includes('node_modules'))

/**
 * The caller's variables with the host's own Node first: npm must not run on a Node that it is
 * about to replace.
 */
export const hostEnv = () => ({ ...process.env, PATH: withoutOurs().join(path.delimiter) })

/** The caller's variables with the project's own tools first. */
export const ourEnv = () => ({ ...process.env, PATH: [BIN, ...withoutOurs()].join(path.delimiter) })

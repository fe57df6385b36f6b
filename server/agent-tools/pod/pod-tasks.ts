import type { ErrorCode } from '../../errors'

/**
 * A pod as it is stored: its files are gzipped JSON, which only threads unpack; null: it has none.
 * `run`: the agent run that works on it, which may destroy what it made itself. `uploads`: files
 * that people attached since it was stored, which are there where nothing else is.
 */
export type PackedPod = {
  packed: Uint8Array | null
  cwd: string
  run?: string | undefined
  uploads?: readonly { path: string; bytes: Uint8Array; at: number }[]
}

export type PodFileInput = { path: string; content: string; encoding: 'text' | 'base64'; append: boolean }

/**
 * The tasks of the pod thread. `analyze` finds what a command may destroy, `plan` what writing a
 * file would replace.
 */
export type PodTask =
  | { kind: 'analyze'; command: string }
  | { kind: 'run'; command: string; approved: boolean; systemPython: boolean }
  | { kind: 'list'; folder: string }
  | { kind: 'read'; path: string; offset: number }
  | { kind: 'plan'; file: PodFileInput }
  | { kind: 'write'; file: PodFileInput; approved: boolean }
  | { kind: 'count' }
  | { kind: 'collect'; folder: string }

/** What a command printed, and the pod afterwards; `packed` is undefined where nothing changed. */
type ShellResult = {
  stdout: string
  stderr: string
  exitCode: number
  cwd: string
  packed: Uint8Array | undefined
}

/** The result of each kind of task. */
export type PodResults = {
  analyze: string[]
  run:
    | ({ kind: 'ran' } & ShellResult)
    /** It was not approved, and its text shows that it is destructive. */
    | { kind: 'needs_approval' }
    /** It was not approved, and would have destroyed these, which its text did not show. */
    | { kind: 'would_lose'; paths: string[] }
  list: {
    cwd: string
    files: { path: string; bytes: number; link?: string }[]
    total: number
    bytes: number
  }
  read: { path: string; bytes: number; encoding: 'text' | 'base64'; content: string; nextOffset: number | null }
  plan: { path: string; oldBytes: number; newBytes: number } | null
  write:
    | { kind: 'written'; path: string; bytes: number; created: boolean; packed: Uint8Array }
    | { kind: 'needs_approval'; path: string }
  /** The files of a folder by their paths in it, or one file; texts as they are. */
  collect: { path: string; content?: string; base64?: string }[]
  /** Of the files that the run did not make. */
  count: { files: number; bytes: number }
}

/** A result from the thread, or an error to throw again outside. */
export type PodReply<K extends PodTask['kind']> =
  | { ok: true; answer: PodResults[K] }
  | { ok: false; code: ErrorCode; message: string }

import type { ErrorCode } from '../../errors'

/** A pod as the database holds it: its files are JSON under gzip, unpacked in threads only. Null: there are none yet. */
export type PackedPod = { packed: Uint8Array | null; cwd: string }

export type PodFileInput = { path: string; content: string; encoding: 'text' | 'base64'; append: boolean }

/** What the thread of pods does. `judge` is what a command may destroy; `plan` what writing a file would replace. */
export type PodTask =
  | { kind: 'judge'; command: string }
  | { kind: 'run'; command: string; approved: boolean }
  | { kind: 'list'; folder: string }
  | { kind: 'read'; path: string; offset: number }
  | { kind: 'plan'; file: PodFileInput }
  | { kind: 'write'; file: PodFileInput; approved: boolean }
  | { kind: 'count' }

/** What a command printed, and what the pod holds afterwards; `packed` is undefined where nothing changed. */
export type ShellResult = {
  stdout: string
  stderr: string
  exitCode: number
  cwd: string
  packed: Uint8Array | undefined
}

/** What each kind of task answers. */
export type PodResults = {
  judge: string[]
  run:
    | ({ kind: 'ran' } & ShellResult)
    /** Nobody approved it, and its text shows what it destroys. */
    | { kind: 'needs_approval' }
    /** Nobody approved it, and its text hid that it destroys these. */
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
  count: { files: number; bytes: number }
}

/** An answer on its way out of the thread, or the refusal that is thrown again outside. */
export type PodReply<K extends PodTask['kind']> =
  | { ok: true; answer: PodResults[K] }
  | { ok: false; code: ErrorCode; message: string }

/** A thing in a pod, by its absolute path. */
export type PodEntry =
  | { kind: 'file'; bytes: Uint8Array; mode: number; mtimeMs: number }
  | { kind: 'folder'; mode: number }
  | { kind: 'link'; to: string }

/** All that a pod holds of its own, by absolute path; what comes with the system is not among it. */
export type PodFiles = ReadonlyMap<string, PodEntry>

export type PodOutcome = {
  stdout: string
  stderr: string
  exitCode: number
  /** What the pod holds now. A command that was ended by a limit has changed nothing. */
  files: PodFiles
  cwd: string
}

/**
 * How commands run: embedded now, in a container perhaps. A driver gives a command no host, no network and no other
 * pod, bounds its time, memory and output, and never throws for what the command did.
 */
export type PodDriver = {
  exec: (
    command: string,
    at: { files: PodFiles; cwd: string; timeoutMs: number; signal?: AbortSignal },
  ) => Promise<PodOutcome>
}

export const HOME = '/home/user'

/** Folders of the system: what stands there is not the pod's, and is not kept. */
export const SYSTEM_FOLDERS: readonly string[] = ['/bin', '/usr', '/dev', '/proc', '/sys', '/etc']

export const isSystemPath = (path: string): boolean =>
  SYSTEM_FOLDERS.some((folder) => path === folder || path.startsWith(`${folder}/`))

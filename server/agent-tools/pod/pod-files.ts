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
  /** What the pod holds now. */
  files: PodFiles
  cwd: string
}

export const POD_HOME = '/home/user'

/** Folders of the system: what stands there is not the pod's, and is not kept. */
export const SYSTEM_FOLDERS: readonly string[] = ['/bin', '/usr', '/dev', '/proc', '/sys', '/etc']

export const isSystemPath = (path: string): boolean =>
  SYSTEM_FOLDERS.some((folder) => path === folder || path.startsWith(`${folder}/`))

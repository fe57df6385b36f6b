/** An entry of a pod's file system. `run`: the agent run that made it, where that is known. */
export type PodEntry =
  | { kind: 'file'; bytes: Uint8Array; mode: number; mtimeMs: number; run?: string | undefined }
  | { kind: 'folder'; mode: number }
  | { kind: 'link'; to: string; run?: string | undefined }

/** A pod's entries by absolute path, without those of the system. */
export type PodFiles = ReadonlyMap<string, PodEntry>

/** A pod in a thread. `run`: the agent run that works on it. */
export type UnpackedPod = { files: PodFiles; cwd: string; run?: string | undefined }

export type PodOutcome = {
  stdout: string
  stderr: string
  exitCode: number
  /** The pod's entries afterwards. */
  files: PodFiles
  cwd: string
}

export const POD_HOME = '/home/user'

/** Where the files are that people attached to goals of the conversation. */
export const UPLOADS = `${POD_HOME}/uploads`

/** Folders of the system, which are not stored. */
const SYSTEM_FOLDERS: readonly string[] = ['/bin', '/usr', '/dev', '/proc', '/sys', '/etc']

export const isSystemPath = (path: string): boolean =>
  SYSTEM_FOLDERS.some((folder) => path === folder || path.startsWith(`${folder}/`))

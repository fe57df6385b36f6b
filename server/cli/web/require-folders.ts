import { accessSync, constants } from 'node:fs'
import { type Env, EnvError, exitOnEnvError } from '../../env'
import { diskFolder } from '../../files/store'
import { makeFolder } from '../kit/make-folder'

/** Makes the folders that this process writes into. One that it may not write stops it. */
export const requireFolders = (env: Env): void => exitOnEnvError(() => makeFolders(env))

/** Throws an EnvError that names the setting of a folder that cannot be written. */
export function makeFolders({ DATA_DIR, STORAGE_URL }: Pick<Env, 'DATA_DIR' | 'STORAGE_URL'>): void {
  requireFolder('DATA_DIR', DATA_DIR)
  const files = diskFolder(STORAGE_URL)
  if (files !== null) requireFolder('STORAGE_URL', files)
}

function requireFolder(variable: string, folder: string): void {
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new EnvError([`${variable} must be a folder that this process may write: ${folder} (${code})`])
  }
}

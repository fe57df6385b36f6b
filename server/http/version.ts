import { uuidv7 } from '../kit/id'
import { type Handler, methodNotAllowed, READ_METHODS } from './handler'
import { sendValue } from './response'

/** What runs here. */
export type Version = {
  name: string
  /** That of the package, `+`, and the id of what was built: another one for other sources. */
  version: string
  /** The commit that was built, `-dirty` where files were changed; null where it is not known. */
  commit: string | null
  /** The newest migration that this code expects in its database. */
  schema: string | null
}

const state = { version: { name: 'tollgate', version: '', commit: null, schema: null } as Version }

/** Says what `/version` returns: only a process's entry knows. */
export const provideVersion = (version: Version): void => {
  state.version = version
}

/**
 * `/version`: which code responds, and which schema it expects. For anyone, and without a log line.
 */
export const versionHandler: Handler = async ({ method }) => {
  const headers = { 'x-request-id': uuidv7(), 'cache-control': 'no-store' }
  return READ_METHODS.some((m) => m === method)
    ? sendValue(200, state.version, headers)
    : methodNotAllowed(READ_METHODS, headers)
}

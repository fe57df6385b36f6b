import type { AppServer } from '@/server/http/app-server'
import type { MountPath } from '@/server/http/mounts'

/**
 * The server of this process, which is started before Next. Everything else that `app/` imports
 * from it is a type.
 */
export function server(): AppServer {
  const found = globalThis.tollgateServer
  if (!found) throw new Error('Pages need the Tollgate server in their process: use npm start, not next start.')
  return found
}

/** The handler of the server at a path, for a route file. */
export const mountedHandler =
  (path: MountPath) =>
  (req: Request): Promise<Response> => {
    const handler = server().handlers.get(path)
    if (!handler) throw new Error(`Nothing is mounted at ${path}.`)
    return handler(req)
  }

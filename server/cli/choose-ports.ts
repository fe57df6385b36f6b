import { findFreePort, isPortFree } from './kit/ports'
import { CliError } from './kit/project'

/**
 * Where a development machine listens unless HOST says otherwise: nobody else's network reaches it.
 */
export const LOOPBACK = '127.0.0.1'

/**
 * Where this machine itself reaches a server that listens on a host (undefined: on every address)
 * and port.
 */
export function localUrl(host: string | undefined, port: number): string {
  if (!host || host === '0.0.0.0' || host === '::') return `http://${LOOPBACK}:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

const DEFAULT_PORT = 3000
const DEFAULT_SANDBOX_PORT = 4010

/**
 * Settles PORT: a given one must be free, else one is found. Answers a line for the reader when it
 * is not the usual.
 */
export async function choosePort(env: NodeJS.ProcessEnv): Promise<string | null> {
  if (env.PORT) {
    if (await isPortFree(Number(env.PORT))) return null
    throw new CliError(`Port ${env.PORT} is taken. Stop what listens there, or set PORT to another.`)
  }
  const port = await findFreePort(DEFAULT_PORT)
  env.PORT = String(port)
  return port === DEFAULT_PORT ? null : `Port ${DEFAULT_PORT} is taken; using ${port}.`
}

/** Settles SANDBOX_URL; answers whether the sandbox has to be started there. */
export async function chooseSandbox(env: NodeJS.ProcessEnv): Promise<boolean> {
  if (env.UPSTREAMS !== 'sandbox' && !env.SANDBOX_PROVIDERS) return false
  if (env.SANDBOX_URL) return !(await respondsToHttp(env.SANDBOX_URL))
  env.SANDBOX_URL = `http://127.0.0.1:${await findFreePort(DEFAULT_SANDBOX_PORT)}`
  return true
}

/** True when anything speaks HTTP at a URL. */
async function respondsToHttp(url: string): Promise<boolean> {
  try {
    await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000) })
    return true
  } catch {
    return false
  }
}

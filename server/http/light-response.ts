import { getRequestListener } from '@hono/node-server'

/**
 * The Response of the server's adapter: it keeps a text and its headers as they were given, and the
 * adapter writes them in one piece, while the global one makes a stream and a Headers object first.
 * In everything else it is a Response. The adapter gives it away only by putting it in the place of
 * the global class, which is put back at once: Next runs in the same process.
 */
export const LightResponse = takeLightResponse()

function takeLightResponse(): typeof Response {
  const names = ['Request', 'Response'] as const
  const former = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  getRequestListener(() => Response.error(), { overrideGlobalObjects: true })
  const light = globalThis.Response
  for (const [name, descriptor] of former) if (descriptor) Object.defineProperty(globalThis, name, descriptor)
  return light
}

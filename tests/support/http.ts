import { Agent, type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'

/**
 * What is sent: any header, also Host and a Content-Length that is not true, which `fetch` does not
 * allow.
 */
export type HttpRequest = {
  method: string
  headers: Record<string, string>
  body?: string | Uint8Array | ReadableStream<Uint8Array>
  signal?: AbortSignal
}

export type HttpResponse = { status: number; headers: Headers; text: string }

const agent = new Agent({ keepAlive: true })

/**
 * Sends one request over HTTP. An answer that comes before the body was sent counts; what is left
 * of it is not sent.
 */
export async function sendHttp(url: string, { method, headers, body, signal }: HttpRequest): Promise<HttpResponse> {
  const call = request(url, { method, headers, signal, agent })
  const source = body instanceof ReadableStream ? Readable.fromWeb(body as never) : null
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    call.once('response', resolve)
    call.on('error', reject)
  })
  if (source) source.on('error', () => call.destroy()).pipe(call)
  else call.end(body)
  try {
    const response = await answered
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    await finished(response, { writable: false })
    return {
      status: response.statusCode ?? 0,
      headers: new Headers(
        Object.entries(response.headersDistinct).flatMap(([n, values = []]) =>
          values.map((v): [string, string] => [n, v]),
        ),
      ),
      text: Buffer.concat(chunks).toString('utf8'),
    }
  } finally {
    source?.destroy()
  }
}

/** Closes the connections that are kept for further requests. */
export const closeHttp = (): void => agent.destroy()

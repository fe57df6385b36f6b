import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { streamChunk, streamEvents } from './fake-upstream'

const USAGE = { prompt_tokens: 10, completion_tokens: 1_000, total_tokens: 1_010 }

/** The end of a stream, with what it used. */
const sendEnd = (res: ServerResponse) =>
  streamEvents(
    streamChunk({ content: 'end' }),
    streamChunk({}, 'stop'),
    { choices: [], usage: USAGE },
    '[DONE]',
  )(res.req, res)

/** A provider that a test holds, and the folder of CONFIG_DIR with settings and models for it. */
export async function openConfigFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-settings-'))
  const keys: (string | undefined)[] = []
  const held: ServerResponse[] = []
  let isHolding = false
  const server = createServer((req, res) => {
    keys.push(req.headers.authorization)
    req.resume()
    if (isHolding) held.push(res)
    else sendEnd(res)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const entry = ([id, usd]: [string, number]) => ({
    id,
    name: id,
    provider: 'Acme',
    kind: 'chat',
    contextSize: 100_000,
    maxOutput: 10_000,
    usdPer1mInput: usd,
    usdPer1mOutput: usd,
    vision: false,
    upstreams: [{ api: 'chat', baseUrl, apiKeyEnv: 'ACME_KEY', model: id }],
  })
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text)
  return {
    folder,
    /** What the provider was sent as its key, call by call. */
    keys,
    /** How many calls wait for `release`. */
    held: () => held.length,
    hold: () => {
      isHolding = true
    },
    release: () => {
      isHolding = false
      for (const res of held.splice(0)) sendEnd(res)
    },
    writeSettings: (settings: Record<string, string>) =>
      write(
        'env',
        Object.entries(settings)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(''),
      ),
    /** Writes models with their price in USD per million tokens, or what is no models file. */
    writeModels: (models: Record<string, number> | string) =>
      write('models.json', typeof models === 'string' ? models : JSON.stringify(Object.entries(models).map(entry))),
    close: () => {
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true })
    },
  }
}

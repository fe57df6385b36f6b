import { writeFileSync } from 'node:fs'
import path from 'node:path'

const MODEL = 'bench/one'

/** The body of a completion of the one model that the mock upstream answers. */
export const completionBody = (stream: boolean): string =>
  JSON.stringify({
    model: MODEL,
    messages: [{ role: 'user', content: 'Say lorem a hundred times.' }],
    max_tokens: 200,
    stream,
  })

/** Writes a registry with that model, whose upstream is the mock; returns its file. */
export function writeMockModels(folder: string, baseUrl: string): string {
  const file = path.join(folder, 'models.json')
  const size = { contextSize: 128_000, maxOutput: 16_384, usdPer1mInput: 1, usdPer1mOutput: 4, vision: false }
  const upstreams = [{ api: 'chat', baseUrl, apiKeyEnv: null, model: 'bench' }]
  writeFileSync(
    file,
    JSON.stringify([{ id: MODEL, name: 'Bench', provider: 'Bench', kind: 'chat', ...size, upstreams }]),
  )
  return file
}

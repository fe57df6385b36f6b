import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { env } from '../../server/env'
import { sandboxModels } from '../../server/models/sandbox-models'
import type { ModelEntry } from '../../server/models/shape'

/** The sandbox's model, asked in one wire: `wire/chat`, `wire/responses`, `wire/messages`. */
export const WIRE_MODELS = { chat: 'wire/chat', responses: 'wire/responses', messages: 'wire/messages' } as const

/**
 * Adds models to the registry of a test file: WIRE_MODELS, and those of `more`, which gets the
 * entry that they are made from. Returns the path of the models' file.
 */
export function withWireModels(more: (base: ModelEntry) => ModelEntry[] = () => []): { file: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-models-'))
  const file = path.join(folder, 'models.json')
  beforeAll(() => {
    const baseUrl = `${env().SANDBOX_URL}/llm/v1`
    const ours = sandboxModels(baseUrl)
    const [base] = ours
    if (!base) throw new Error('the sandbox has no models')
    const added = Object.entries(WIRE_MODELS).map(([api, id]) => ({
      ...base,
      id,
      upstreams: [{ api: api as keyof typeof WIRE_MODELS, baseUrl, apiKeyEnv: null, model: 'gale-4' }],
    }))
    writeFileSync(file, JSON.stringify([...ours, ...added, ...more(base)]))
    Object.assign(env(), { MODELS_FILE: file })
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  return { file }
}

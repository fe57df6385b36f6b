import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { env } from '../../server/env'
import type { WireName } from '../../server/models/completion'
import { sandboxModels } from '../../server/models/sandbox-models'

/** A model that sees, with the sandbox as its upstream in one wire; prices as CHAT_MODEL's. */
export const modelOf = (wire: WireName): string => `wire/${wire}`

/**
 * One model per wire that the sandbox speaks, in a MODELS_FILE beside the sandbox's own, and
 * further ones by their ids.
 */
export function withWireModels(wires: readonly WireName[], more: Record<string, WireName> = {}): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-wires-'))
  const file = path.join(folder, 'models.json')
  beforeAll(() => {
    const baseUrl = `${env().SANDBOX_URL}/llm/v1`
    const ours = sandboxModels(baseUrl)
    const [first] = ours
    const ids = [...wires.map((wire) => [modelOf(wire), wire] as const), ...Object.entries(more)]
    const added = ids.map(([id, api]) => ({
      ...first,
      id,
      upstreams: [{ api, baseUrl, apiKeyEnv: null, model: 'gale-4' }],
    }))
    writeFileSync(file, JSON.stringify([...ours, ...added]))
    Object.assign(env(), { MODELS_FILE: file })
  })
  afterAll(() => rmSync(folder, { recursive: true }))
}

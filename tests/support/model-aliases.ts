import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { env } from '../../server/env'
import { sandboxModels } from '../../server/models/sandbox-models'

/** Gives the simulated models aliases, by their ids, in a MODELS_FILE of the test file. */
export function withAliases(aliases: Readonly<Record<string, string[]>>): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-aliases-'))
  beforeAll(() => {
    const file = path.join(folder, 'models.json')
    const models = sandboxModels(`${env().SANDBOX_URL}/llm/v1`).map((model) => ({
      ...model,
      aliases: aliases[model.id],
    }))
    writeFileSync(file, JSON.stringify(models))
    Object.assign(env(), { MODELS_FILE: file })
  })
  afterAll(() => rmSync(folder, { recursive: true }))
}

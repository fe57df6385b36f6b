import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { findFreePort } from '../../server/cli/kit/ports'
import { waitUntilServerReady } from '../../server/cli/wait-until-ready'
import { findModel } from '../../server/models/registry'
import { sandboxModels } from '../../server/models/sandbox-models'
import { type OtherProcess, startOtherProcess } from './other-process'

/**
 * A model that answers at once, for agent runs: the simulation reads every prompt, which costs more
 * than the step that asks it.
 */
export const INSTANT_MODEL = 'bench/instant'

/** Writes a registry of the simulated models and of that one. Returns the file. */
export async function writeBenchModels(folder: string, sandboxUrl: string): Promise<string> {
  const size = { contextSize: 128_000, maxOutput: 16_384, usdPer1mInput: 1, usdPer1mOutput: 4, vision: false }
  const baseUrl = `http://127.0.0.1:${await findFreePort(4_900)}`
  const upstreams = [{ api: 'chat', baseUrl, apiKeyEnv: null, model: 'instant' }]
  const instant = { id: INSTANT_MODEL, name: 'Instant', provider: 'Bench', kind: 'chat', ...size, upstreams }
  const file = path.join(folder, 'models.json')
  writeFileSync(file, JSON.stringify([...sandboxModels(`${sandboxUrl}/llm/v1`), instant]))
  return file
}

/** Starts that model. `rounds` of its answers make two calls each, then comes a text. */
export async function startInstantModel(rounds: number): Promise<OtherProcess> {
  const url = findModel(INSTANT_MODEL)?.upstreams[0]?.baseUrl ?? ''
  const started = startOtherProcess(['tests/bench/instant-model.mjs', new URL(url).port, String(rounds)])
  await waitUntilServerReady(url)
  return started
}

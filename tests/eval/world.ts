import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startWorker } from '../../server/agent/queue/worker'
import { startLeaseRenewal } from '../../server/credits/holder'
import { env } from '../../server/env'
import { sandboxModels } from '../../server/models/sandbox-models'
import { startSandboxServer } from '../../server/sandbox/start'
import { startListener } from '../support/listener'
import type { Goal, Places } from './goal'
import { type Solution, serveModels } from './models/serve'
import { TEMPERAMENTS } from './models/temperament'
import { servePages } from './pages'
import type { RealModel } from './settings'

/** Everything that runs of an evaluation need, in this process. */
export type EvalWorld = { url: string; places: Places; stop: () => Promise<void> }

const SCRIPTED = {
  kind: 'chat' as const,
  provider: 'Scripted',
  vision: true,
  usdPer1mInput: 0.5,
  usdPer1mOutput: 2,
  usdPer1mCachedInput: 0.05,
}

/** The id of a scripted model in the registry. */
export const scriptedModelId = (temperament: string, isSmall = false): string =>
  `eval/${temperament}${isSmall ? '-small' : ''}`

const scriptedModels = (baseUrl: string) =>
  TEMPERAMENTS.flatMap(({ name }) => {
    const upstreams = [{ api: 'chat' as const, baseUrl, apiKeyEnv: null, model: name }]
    const model = (isSmall: boolean, sizes: { contextSize: number; maxOutput: number }) => ({
      ...SCRIPTED,
      ...sizes,
      id: scriptedModelId(name, isSmall),
      name: `Scripted ${name}`,
      upstreams,
    })
    return [
      model(false, { contextSize: 200_000, maxOutput: 32_000 }),
      model(true, { contextSize: 16_000, maxOutput: 4_000 }),
    ]
  })

/** The solutions by the text of the goal that they are for. */
function solutionsOf(goals: readonly Goal[], places: Places): Map<string, Solution> {
  const turns = goals.flatMap((goal) => (goal.earlier ? [goal, goal.earlier] : [goal]))
  return new Map(turns.map((turn) => [turn.text(places), turn]))
}

/**
 * Starts simulated providers, pages, scripted models, a listener and a worker. The database and the
 * address of the sandbox are in the environment already.
 */
export async function startEvalWorld(goals: readonly Goal[], real: RealModel | null): Promise<EvalWorld> {
  const sandbox = await startSandboxServer({ port: Number(new URL(env().SANDBOX_URL).port) })
  const pages = await servePages()
  const places = { pages: pages.url, sandbox: sandbox.url }
  const models = await serveModels(solutionsOf(goals, places))
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-eval-'))
  const file = path.join(folder, 'models.json')
  const ours = sandboxModels(`${sandbox.url}/llm/v1`)
  writeFileSync(file, JSON.stringify([...ours, ...scriptedModels(models.url), ...(real ? [real.entry] : [])]))
  const { ALLOW_PRIVATE_HOSTS } = env()
  Object.assign(env(), {
    MODELS_FILE: file,
    ALLOW_PRIVATE_HOSTS: [...ALLOW_PRIVATE_HOSTS, new URL(pages.url).host],
  })
  const listener = await startListener()
  const stopLease = startLeaseRenewal()
  const stopWorker = await startWorker()
  return {
    url: listener.url,
    places,
    stop: async () => {
      await stopWorker()
      stopLease()
      await listener.stop()
      models.stop()
      pages.stop()
      await sandbox.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

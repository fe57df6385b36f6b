import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { env } from '../../../server/env'
import type { WireName } from '../../../server/models/completion'
import type { JsonObject, Move, Scene, Seen, WireProvider } from './scene'
import { WIRE_NAMES } from './scene'
import type { StrictProvider } from './strict-providers'
import { WIRE_ENDS } from './wires'

/** Prices of every model here, USD per million tokens. */
export const SCENE_PRICES = {
  usdPer1mInput: 3,
  usdPer1mOutput: 15,
  usdPer1mCachedInput: 0.3,
  usdPer1mCacheWrite: 3.75,
}

/** The model whose provider speaks one wire. */
export const sceneModel = (wire: WireName): string => `scene/${wire}`

/** The model of a provider that refuses what its rules refuse. */
export const strictModel = (name: string): string => `strict/${name}`

/** Why the provider of the model that is asked for refuses a request; null: it does not. */
function refusalOf(strict: Readonly<Record<string, StrictProvider>>, asked: JsonObject): string | null {
  const provider = Object.values(strict).find(({ model }) => model === asked.model)
  return provider?.rules.map(({ wrong }) => wrong(asked)).find((why) => why !== null) ?? null
}

export type FakeProviders = {
  /** What every provider says from now on, request by request; the last one to all further. */
  play: (...scenes: [Scene, ...Scene[]]) => void
  /** The last request, as its provider reads it. */
  seen: () => Seen
  /** The last request as it came. */
  asked: () => JsonObject
  /** Requests since `play`. */
  calls: () => number
  /** Requests since `play` that were closed before their answer was complete. */
  closed: () => number
}

type Stage = { scenes: Scene[]; seen: Seen | null; asked: JsonObject; calls: number; closed: number }

async function readAll(req: IncomingMessage): Promise<JsonObject> {
  const pieces: Buffer[] = []
  for await (const piece of req) pieces.push(piece as Buffer)
  return JSON.parse(Buffer.concat(pieces).toString('utf8')) as JsonObject
}

/** The moves up to where the scene goes silent. */
function movesOf({ fault }: Scene, all: readonly Move[]): readonly Move[] {
  const mark = fault === 'silent after text' ? 'text' : fault === 'silent before usage' ? 'said' : undefined
  return mark === undefined ? all : all.slice(0, all.findIndex((move) => move.mark === mark) + 1)
}

function serve(provider: WireProvider, scene: Scene, { asked, res }: { asked: JsonObject; res: ServerResponse }): void {
  const { fault } = scene
  if (fault === 'silent') return
  if (typeof fault === 'object') {
    res.writeHead(fault.status, { 'content-type': 'application/json' })
    return void res.end(JSON.stringify(provider.refusal(fault.message)))
  }
  if (asked.stream !== true) {
    if (fault !== undefined) return
    res.writeHead(200, { 'content-type': 'application/json' })
    return void res.end(JSON.stringify(provider.answer(scene)))
  }
  res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  for (const { text } of movesOf(scene, provider.moves(scene))) res.write(text)
  if (fault === undefined || fault === 'error') res.end()
}

/**
 * A provider for each wire, all with the same scene, and a model for each: `sceneModel`. `strict`:
 * models whose providers refuse what their rules say. They stop after the test file.
 */
export function withFakeProviders(strict: Readonly<Record<string, StrictProvider>> = {}): FakeProviders {
  const stage: Stage = { scenes: [], seen: null, asked: {}, calls: 0, closed: 0 }
  const providers = WIRE_NAMES.map((wire) => WIRE_ENDS[wire].provider)
  const server = createServer(async (req, res) => {
    const provider = providers.find((each) => req.url === each.path)
    if (!provider) return void res.writeHead(404).end('{}')
    const asked = await readAll(req)
    const scene = stage.scenes[Math.min(stage.calls, stage.scenes.length - 1)]
    Object.assign(stage, { asked, calls: stage.calls + 1 })
    const wrong = refusalOf(strict, asked)
    if (wrong !== null) {
      res.writeHead(400, { 'content-type': 'application/json' })
      return void res.end(JSON.stringify(provider.refusal(wrong)))
    }
    stage.seen = provider.read(asked)
    if (!scene) return void res.writeHead(500).end('{}')
    res.on('close', () => {
      if (!res.writableFinished) stage.closed++
    })
    serve(provider, scene, { asked, res })
  })
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-scenes-'))
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const models = WIRE_NAMES.map((api) => ({
      id: sceneModel(api),
      name: `Scene ${api}`,
      provider: 'Scene',
      kind: 'chat',
      contextSize: 200_000,
      maxOutput: 64_000,
      vision: true,
      ...SCENE_PRICES,
      upstreams: [{ api, baseUrl, apiKeyEnv: null, model: 'theirs' }],
    }))
    const refusing = Object.entries(strict).map(([name, { api, model }]) => ({
      ...models[0],
      id: strictModel(name),
      upstreams: [{ api, baseUrl, apiKeyEnv: null, model }],
    }))
    const file = path.join(folder, 'models.json')
    writeFileSync(file, JSON.stringify([...models, ...refusing]))
    Object.assign(env(), { MODELS_FILE: file })
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  })
  return {
    play: (...scenes) => void Object.assign(stage, { scenes, seen: null, asked: {}, calls: 0, closed: 0 }),
    seen: () => {
      if (!stage.seen) throw new Error('no provider was asked')
      return stage.seen
    },
    asked: () => stage.asked,
    calls: () => stage.calls,
    closed: () => stage.closed,
  }
}

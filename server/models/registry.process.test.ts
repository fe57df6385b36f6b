import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { env } from '../env'
import { listModel } from './listing/listed'
import { allModels, chatModels, describeModel, findModel, parseModelEntries } from './registry'
import { CatalogModel, ListedModel } from './shape'

const chat = {
  id: 'acme/one',
  name: 'One',
  provider: 'Acme',
  kind: 'chat',
  contextSize: 1000,
  maxOutput: 100,
  usdPer1mInput: 1,
  usdPer1mOutput: 2,
  vision: false,
  upstreams: [{ api: 'chat', baseUrl: 'https://llm.example/v1/', apiKeyEnv: '', model: 'one' }],
}
const video = {
  ...chat,
  kind: 'video',
  contextSize: 0,
  usdPer1mInput: 0,
  usdPer1mOutput: 0,
  upstreams: [{ ...chat.upstreams[0], api: 'videos' }],
  video: { seconds: [4], resolutions: ['720p'], ratios: ['16:9'], usdPerSecond: { '720p': 0.1 } },
}

describe('the sandbox models', () => {
  test('chat, image and video, text-only and not, from little context to much', () => {
    expect(chatModels()).toHaveLength(9)
    expect(new Set(allModels().map(({ kind }) => kind))).toEqual(new Set(['chat', 'embedding', 'image', 'video']))
    expect(new Set(chatModels().map(({ vision }) => vision))).toEqual(new Set([true, false]))
    expect(Math.min(...chatModels().map(({ contextSize }) => contextSize))).toBeLessThan(4_096)
    expect(Math.max(...chatModels().map(({ contextSize }) => contextSize))).toBe(1_050_000)
    const upstreams = allModels().flatMap((model) => model.upstreams)
    expect(upstreams.filter(({ baseUrl }) => !baseUrl.startsWith(`${env().SANDBOX_URL}/`))).toEqual([])
  })
  test('are described in the shapes the API promises', () => {
    for (const model of allModels()) {
      expect(CatalogModel.parse(describeModel(model))).toEqual(describeModel(model))
      expect(ListedModel.parse(listModel(model))).toEqual(listModel(model))
    }
  })
  test('cost dollars times credits times markup, rounded up', () => {
    const gale = findModel('northwind/gale-4')
    expect(gale?.creditsPer1mInput).toBe(8334n)
    expect(gale?.creditsPer1mOutput).toBe(33_336n)
    expect(findModel('alpenglow/edelweiss-large')?.defaultMaxOutput).toBe(8_192)
    expect(findModel('nobody/nothing')).toBeUndefined()
  })
})

describe('a registry file', () => {
  test('may leave out what has a default; base URLs lose their last slash, an empty key name means none', () => {
    const [entry] = parseModelEntries([chat])
    expect(entry?.upstreams[0]).toEqual({ ...chat.upstreams[0], baseUrl: 'https://llm.example/v1', apiKeyEnv: null })
    expect(parseModelEntries([{ ...video, id: 'acme/video' }])).toHaveLength(1)
    expect(parseModelEntries([])).toEqual([])
  })
  test.each([
    [{}, 'MODELS_FILE must be a JSON array of models'],
    [[chat, { ...chat, id: 'acme' }], 'MODELS_FILE entry 2 (acme), id: must be <provider>/<model-name>'],
    [
      [{ ...chat, contextSize: '1000' }],
      'MODELS_FILE entry 1 (acme/one), contextSize: must be a whole number of tokens',
    ],
    [
      [{ ...chat, usdPer1mInput: null }],
      'MODELS_FILE entry 1 (acme/one), usdPer1mInput: must be a number of US dollars',
    ],
    [[{ ...chat, kind: 'audio' }], 'MODELS_FILE entry 1 (acme/one), kind: must be chat, embedding, image or video'],
    [[{ ...chat, upstreams: [] }], 'MODELS_FILE entry 1 (acme/one), upstreams: must name at least one'],
    [
      [{ ...chat, upstreams: [{ ...chat.upstreams[0], baseUrl: 'ftp://x' }] }],
      'MODELS_FILE entry 1 (acme/one), upstreams.0.baseUrl: must be an http(s) URL',
    ],
    [
      [{ ...chat, upstreams: [{ ...chat.upstreams[0], api: 'videos' }] }],
      'MODELS_FILE entry 1 (acme/one), upstreams.0.api: must be chat or responses or messages for kind chat',
    ],
    [
      [{ ...chat, kind: 'embedding' }],
      'MODELS_FILE entry 1 (acme/one), upstreams.0.api: must be embeddings for kind embedding',
    ],
    [
      [{ ...chat, kind: 'embedding', contextSize: 0 }],
      'MODELS_FILE entry 1 (acme/one), contextSize: must be positive for an embedding model',
    ],
    [
      [{ ...chat, kind: 'embedding', usdPer1mOutput: 1 }],
      'MODELS_FILE entry 1 (acme/one), usdPer1mOutput: must be 0 for an embedding model',
    ],
    [[{ ...chat, maxOutput: 0 }], 'MODELS_FILE entry 1 (acme/one), maxOutput: must be positive for a chat model'],
    [[{ ...video, contextSize: 5 }], 'MODELS_FILE entry 1 (acme/one), contextSize: must be 0 for a video engine'],
    [[{ ...video, video: undefined }], 'MODELS_FILE entry 1 (acme/one), video: is required for kind video'],
    [
      [{ ...video, video: { ...video.video, resolutions: ['4k'] } }],
      'MODELS_FILE entry 1 (acme/one), video.usdPerSecond: must have a price for every resolution',
    ],
    [[chat, chat], 'MODELS_FILE acme/one: the id is used twice'],
  ])('%#: the first mistake is reported as %2$s', (raw, line) => {
    expect(() => parseModelEntries(raw)).toThrow(expect.objectContaining({ lines: expect.arrayContaining([line]) }))
  })
  test('an unknown field is a mistake', () => {
    expect(() => parseModelEntries([{ ...chat, price: 3 }])).toThrow(/entry 1 \(acme\/one\): .*price/)
  })
})

describe('at start', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-models-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const start = (content: string, more: Record<string, string> = {}) => {
    const file = path.join(folder, 'models.json')
    writeFileSync(file, content)
    const script =
      "import('./server/models/registry.ts').then((m) => { m.checkModels(); console.log(JSON.stringify(m.allModels().map((x) => [x.id, x.upstreams.length]))) })"
    const options = { env: { ...process.env, MODELS_FILE: file, ...more }, encoding: 'utf8', stdio: 'pipe' } as const
    return execFileSync(process.execPath, ['--import', 'tsx', '-e', script], options).trim()
  }
  const failure = (run: () => string) => {
    try {
      return { out: run() }
    } catch (error) {
      const { status, stderr } = error as { status: number; stderr: string }
      return { status, stderr }
    }
  }

  test('a bad file stops the process with one line that names entry and field', () => {
    expect(failure(() => start(JSON.stringify([{ ...chat, vision: 'yes' }])))).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^Bad setting: MODELS_FILE entry 1 \(acme\/one\), vision: .*\n$/),
    })
    expect(failure(() => start('[{"id": '))).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^Bad setting: MODELS_FILE is not valid JSON: .*\n$/),
    })
    expect(failure(() => start('[]', { MODELS_FILE: '/nowhere/models.json' }))).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^Bad setting: MODELS_FILE cannot be read: .*\n$/),
    })
  })
  test('a model none of whose upstreams has its key is absent, as is each upstream without one', () => {
    const at = (apiKeyEnv: string) => ({ ...chat.upstreams[0], apiKeyEnv })
    const file = JSON.stringify([
      { ...chat, id: 'a/none', upstreams: [at('LACKING_KEY')] },
      { ...chat, id: 'a/some', upstreams: [at('LACKING_KEY'), at('GIVEN_KEY'), at('')] },
    ])
    expect(JSON.parse(start(file, { GIVEN_KEY: 'x', LACKING_KEY: '' }))).toEqual([['a/some', 2]])
  })
  test('live mode without a file has no models', () => {
    expect(JSON.parse(start('[]', { MODELS_FILE: '', UPSTREAMS: 'live' }))).toEqual([])
  })
})

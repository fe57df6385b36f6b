import { expect, test } from 'vitest'
import { allModels } from '../registry'
import { OfferedModel } from '../shape'
import { offerModel } from './offer'

const offered = (id: string) => {
  const model = allModels().find((m) => m.id === id)
  if (!model) throw new Error(`no model ${id}`)
  return offerModel(model)
}

test('every model of the sandbox can be offered', () => {
  expect(allModels().length).toBeGreaterThan(8)
  for (const model of allModels()) expect(OfferedModel.parse(offerModel(model))).toEqual(offerModel(model))
})

test('a chat model is offered by the token', () => {
  expect(offered('northwind/gale-4')).toEqual({
    aliases: [],
    parameters: expect.arrayContaining(['temperature', 'tools', 'structured_outputs']),
    efforts: null,
    id: 'northwind/gale-4',
    name: 'Northwind Gale 4',
    provider: 'Northwind',
    kind: 'chat',
    contextSize: 256_000,
    maxOutput: 64_000,
    creditsPer1mInput: Math.ceil(2.5 * 2778 * 1.2),
    creditsPer1mOutput: Math.ceil(10 * 2778 * 1.2),
    vision: true,
    simulated: true,
    image: null,
    video: null,
  })
})

test('an image engine is offered by the image, a video engine by the second of each resolution', () => {
  expect(offered('palette/umber-1').image).toEqual({
    ratios: ['1:1', '3:2', '2:3', '16:9', '9:16'],
    creditsPerImage: Math.ceil(0.04 * 2778 * 1.2),
  })
  const { video, image } = offered('lumiere/reel-2')
  expect(image).toBeNull()
  expect(video?.creditsPerSecond).toEqual({ '720p': 267, '1080p': 534, '2160p': 1334 })
  expect(video).toMatchObject({ seconds: { min: 2, max: 30, default: 8 }, audioFactor: 1.5 })
})

test('nothing of where a model is called, and of its cost to the operator, is offered', () => {
  for (const model of allModels())
    expect(JSON.stringify(offerModel(model))).not.toMatch(/upstream|baseUrl|apiKeyEnv|usd/i)
})

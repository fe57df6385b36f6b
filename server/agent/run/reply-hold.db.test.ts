import { expect, it } from 'vitest'
import { takeHold } from '../../../tests/support/hold'
import { withoutDatabase } from '../../../tests/support/lost-database'
import { makeOwner } from '../../../tests/support/owners'
import { uuidv7 } from '../../kit/id'
import { affordableOutput, holdForTokens } from '../../models/prices'
import { chatModels } from '../../models/registry'
import type { Model } from '../../models/shape'
import { replyHold } from './reply-hold'

const PROMPT_TOKENS = 100
const [model] = chatModels() as [Model]
const cost = (outputTokens: number) => holdForTokens({ promptTokens: PROMPT_TOKENS, outputTokens, n: 1 }, model)
/** As much as so many tokens are counted as. */
const ofTokens = (tokens: number) => [{ lane: 'text', text: 'abc'.repeat(tokens) }]

async function startReply() {
  const { id: ownerId } = await makeOwner(1_000_000)
  const id = uuidv7()
  const credits = cost(1_000)
  await takeHold({ id: ownerId, email: '' }, Number(credits), { id })
  const call = { channel: 'agent', product: 'agent', what: model.id } as const
  const request = { ...call, id, ownerId, keyId: null, maxCredits: credits }
  return replyHold(request, credits, { model, promptTokens: PROMPT_TOKENS, maxOutput: 10_000 })
}

it('a reply goes on with what is held while the database is away, and is cut only where that is used up', async () => {
  const reply = await startReply()
  const paid = affordableOutput(reply.held(), { promptTokens: PROMPT_TOKENS, n: 1 }, model)
  await withoutDatabase(async () => {
    expect(await reply.written(ofTokens(paid - 100))).toBe(true)
    expect(await reply.written(ofTokens(50))).not.toBe(false)
    expect(await reply.written(ofTokens(50))).toBe(false)
  })
})

it('a reply is reserved more when the database is back', async () => {
  const reply = await startReply()
  const before = reply.paidOutput()
  await withoutDatabase(async () => void (await reply.written(ofTokens(before - 1))))
  expect(await reply.written(ofTokens(1))).toBe(true)
  expect(reply.paidOutput()).toBeGreaterThan(before)
})

it('what a reply cost beyond its hold is not reserved while the database is away, and its hold stays', async () => {
  const reply = await startReply()
  const before = reply.held()
  await withoutDatabase(() => reply.cover(before + 10n))
  expect(reply.held()).toBe(before)
  await reply.cover(before + 10n)
  expect(reply.held()).toBe(before + 10n)
})

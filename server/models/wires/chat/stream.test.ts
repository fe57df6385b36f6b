import { describe, expect, it } from 'vitest'
import { AppError } from '../../../errors'
import type { CompletionBill } from '../../bill'
import type { BilledEvent, StreamPiece } from '../wire'
import { openChatStream } from './stream'
import { readChatFacts } from './upstream'

const bill = (estimated = false) => ({ estimated, usage: { inputTokens: 3, outputTokens: 2 } }) as CompletionBill
const chunkOf = (delta: object, finish_reason: string | null = null, index = 0) => ({
  model: 'theirs',
  choices: [{ index, delta, finish_reason }],
})
const event = (chunk: Record<string, unknown>): BilledEvent => ({
  kind: 'chunk',
  wire: 'chat',
  chunk,
  facts: readChatFacts(chunk),
})
const end = (estimated = false): BilledEvent => ({ kind: 'end', bill: bill(estimated), charged: 7 })

const written = (events: BilledEvent[], { includeUsage = false, n = 1 } = {}): StreamPiece[] =>
  events.flatMap(openChatStream({ id: 'id', model: 'ours', n, includeUsage }))
const charges = (pieces: StreamPiece[]) => pieces.map(({ charged }) => charged)

describe('a chat stream', () => {
  it('has the charge on the chunk that ends the last choice, and our model id on all', () => {
    const pieces = written([event(chunkOf({ content: 'a' })), event(chunkOf({}, 'stop')), end()])
    expect(charges(pieces)).toEqual([undefined, 7])
    expect(pieces).toMatchObject([{ chunk: { model: 'ours' } }, { chunk: { model: 'ours' } }])
  })

  it('keeps the order of chunks that follow the end of a choice', () => {
    const pieces = written([event(chunkOf({}, 'stop')), event(chunkOf({ content: '' })), end()])
    expect(charges(pieces)).toEqual([7, undefined])
  })

  it('passes the usage chunk on to callers who asked, with the charge', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, details: 'kept' }
    const pieces = written([event(chunkOf({}, 'stop')), event({ choices: [], usage }), end()], {
      includeUsage: true,
    })
    expect(pieces).toMatchObject([{ chunk: { usage: null } }, { chunk: { choices: [], usage }, charged: 7 }])
  })

  it('writes the usage it counted where the upstream sent none', () => {
    const pieces = written([event(chunkOf({}, 'stop')), end(true)], { includeUsage: true })
    expect(pieces.at(-1)).toMatchObject({
      chunk: { usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } },
    })
  })

  it('ends a choice that the upstream left open', () => {
    const pieces = written([event(chunkOf({}, 'stop')), event(chunkOf({ content: 'b' }, null, 1)), end()], {
      n: 2,
    })
    expect(pieces.at(-1)).toMatchObject({ chunk: { choices: [{ index: 1, finish_reason: 'stop' }] }, charged: 7 })
  })

  it('is one made chunk where the upstream sent none', () => {
    expect(written([end()])).toMatchObject([{ chunk: { id: 'id', model: 'ours' }, charged: 7 }])
  })

  it('ends with an error after the chunks that waited', () => {
    const error = new AppError('upstream_error', 'It failed.')
    const pieces = written([event(chunkOf({}, 'stop')), { kind: 'error', error, charged: 2 }])
    expect(pieces).toMatchObject([{ kind: 'chunk' }, { kind: 'error', charged: 2 }])
    expect(charges(pieces)).toEqual([undefined, 2])
  })
})

import { expect, test } from 'vitest'
import { makeTokenCounter } from '../../tokens'
import { textsIn } from './texts'

test('streamed chunks count like the whole answer: text, reasoning, refusals, tool calls, choice by choice', async () => {
  const counter = makeTokenCounter()
  const chunk = (index: number, delta: object) => counter.addTexts(textsIn({ choices: [{ index, delta }] }))
  for (let i = 0; i < 300; i++) {
    chunk(0, { content: `unbeliev` })
    chunk(1, { reasoning_content: 'pond' })
    chunk(0, { content: `able ` })
  }
  chunk(0, { tool_calls: [{ index: 0, id: 'call_1', function: { name: 'look', arguments: '' } }] })
  chunk(0, { tool_calls: [{ index: 0, function: { arguments: '{"at":"the' } }] })
  chunk(0, { tool_calls: [{ index: 0, function: { arguments: ' sea"}' } }] })
  counter.addTexts(textsIn({ choices: [] }))
  counter.addTexts(textsIn({ usage: { prompt_tokens: 1 } }))

  const whole = makeTokenCounter()
  whole.addTexts(
    textsIn({
      choices: [
        {
          index: 0,
          message: {
            content: 'unbelievable '.repeat(300),
            tool_calls: [{ id: 'call_1', function: { name: 'look', arguments: '{"at":"the sea"}' } }],
          },
        },
        { index: 1, message: { content: null, reasoning_content: 'pond'.repeat(300) } },
      ],
    }),
  )
  expect(await counter.total()).toBe(await whole.total())
  expect(await whole.total()).toBeGreaterThan(600)
})

test('an answer of an unknown form counts nothing and breaks nothing', async () => {
  const counter = makeTokenCounter()
  for (const choices of [null, 'x', [null], [{}], [{ delta: null }], [{ message: { tool_calls: [null, {}] } }]])
    counter.addTexts(textsIn({ choices }))
  expect(await counter.total()).toBe(0)
})

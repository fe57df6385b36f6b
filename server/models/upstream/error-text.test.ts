import { describe, expect, test } from 'vitest'
import { errorParam, errorText } from './error-text'

describe('the text of a provider’s error', () => {
  test.each<[string, unknown, string]>([
    ['text', 'no', 'no'],
    [
      'OpenAI',
      { message: 'Unsupported parameter', type: 'invalid_request_error', param: 'x' },
      'Unsupported parameter',
    ],
    [
      'a router, with the provider’s own error as JSON',
      { message: 'Provider returned error', metadata: { raw: '{"error":{"message":"too long"}}', provider_name: 'P' } },
      'too long',
    ],
    ['a router, with the provider’s own error as an object', { metadata: { raw: { error: { message: 'm' } } } }, 'm'],
    [
      'a list of mistakes',
      { detail: [{ type: 'missing', loc: ['body', 'messages', 0, 'role'], msg: 'Field required', input: 'secret' }] },
      'messages.0.role: Field required',
    ],
    [
      'a list of mistakes in a message',
      {
        object: 'error',
        message: {
          detail: [
            { type: 'extra_forbidden', loc: ['body', 'seed'], msg: 'Extra inputs are not permitted', input: 5 },
            { type: 'too_big', loc: ['body', 'top_p'], msg: 'Input should be at most 1' },
          ],
        },
        type: 'invalid_request_error',
        code: null,
      },
      'seed: Extra inputs are not permitted; top_p: Input should be at most 1',
    ],
    ['Anthropic', { type: 'invalid_request_error', message: 'max_tokens: too large' }, 'max_tokens: too large'],
    ['Anthropic, whole', { type: 'error', error: { type: 'x', message: 'prompt is too long' } }, 'prompt is too long'],
    [
      'Gemini, in a list',
      [
        {
          error: {
            code: 400,
            message: 'Invalid JSON payload',
            status: 'INVALID_ARGUMENT',
            details: [{ '@type': 'x' }],
          },
        },
      ],
      'Invalid JSON payload',
    ],
    ['a list of fields', { errors: [{ field: 'n', description: 'is too high' }] }, 'n: is too high'],
    ['JSON in text', '{"error":"model not loaded"}', 'model not loaded'],
    ['something that looks like JSON', '{oops', '{oops'],
    ['nothing', { code: 5, message: {} }, ''],
    ['nothing, deep down', JSON.parse(`${'['.repeat(50)}"x"${']'.repeat(50)}`), ''],
  ])('%s', (_name, error, text) => {
    expect(errorText(error)).toBe(text)
  })

  test('names five mistakes, and is not endless', () => {
    const many = Array.from({ length: 9 }, (_, i) => ({ loc: ['body', `f${i}`], msg: 'bad' }))
    expect(errorText({ detail: many })).toBe('f0: bad; f1: bad; f2: bad; f3: bad; f4: bad')
    expect(errorText('x'.repeat(9_000))).toHaveLength(2_000)
  })
})

test('the parameter is the one that is named, or the place of the first mistake', () => {
  expect(errorParam({ param: 'tools' })).toBe('tools')
  expect(errorParam({ message: { detail: [{ loc: ['body', 'seed'], msg: 'no' }] } })).toBe('seed')
  expect(errorParam({ message: 'no' })).toBeNull()
  expect(errorParam('no')).toBeNull()
})

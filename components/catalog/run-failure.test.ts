import { expect, test } from 'vitest'
import { checkParamsSize, formatCharge, toToolRunFailure } from './run-failure'

const told = (data: object, message = 'No.') => Object.assign(new Error(message), { data })
const names = ['query', 'viewport']

test('an answer that was lost leaves the charge open', () => {
  for (const error of [new Error('fetch failed'), undefined, { data: {} }])
    expect(toToolRunFailure(error, names)).toMatchObject({
      charged: null,
      requestId: null,
      message: /could not be reached/,
    })
})

test('what is wrong stands at its parameter, the first of each, with its part named', () => {
  const issues = [
    { path: 'params.viewport.width', message: 'Too small' },
    { path: 'params.viewport.height', message: 'Too large' },
    { path: 'params.query', message: 'must be shorter' },
  ]
  expect(toToolRunFailure(told({ appCode: 'invalid_request', issues, requestId: 'r' }), names)).toEqual({
    message: 'Some parameters will not do.',
    wrong: { viewport: 'width: Too small', query: 'Must be shorter' },
    charged: 0,
    requestId: null,
  })
})

test('what stands at no field is said in the message', () => {
  const issues = [
    { path: 'params', message: 'Unrecognized key' },
    { path: 'params.query', message: 'Too long' },
  ]
  const failure = toToolRunFailure(told({ issues }, 'params: Unrecognized key'), names)
  expect(failure).toMatchObject({ message: 'params: Unrecognized key', wrong: { query: 'Too long' } })
})

test('a failure after the call ran has its charge and its receipt, a charge of nothing too', () => {
  for (const credits of [3, 0]) {
    const failure = toToolRunFailure(told({ appCode: 'upstream_error', charge: { credits }, requestId: 'r' }), names)
    expect(failure).toMatchObject({ charged: credits, requestId: 'r', message: 'No.' })
  }
})

test('a refusal cost nothing; of a fault of the service nobody here knows', () => {
  expect(toToolRunFailure(told({ appCode: 'rate_limited' }), names).charged).toBe(0)
  expect(toToolRunFailure(told({ appCode: 'internal_error' }), names).charged).toBeNull()
})

test.each([
  [null, /will stand in Usage/],
  [0, /^Nothing was charged/],
  [1, /^1 credit was/],
  [1234, /^1\u202f234 credits were/],
])('a charge of %j is said', (charged, says) => {
  expect(formatCharge(charged)).toMatch(says)
})

test('what no request can hold is refused here, counted in bytes', () => {
  expect(checkParamsSize({ source: 'x'.repeat(1_000_000) })).toBeNull()
  expect(checkParamsSize({ source: 'x'.repeat(1_048_000) })).toMatchObject({ charged: 0, message: /1 MiB/ })
  expect(checkParamsSize({ source: 'é'.repeat(600_000) })).toMatchObject({ charged: 0 })
})

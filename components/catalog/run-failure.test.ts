import { expect, test } from 'vitest'
import { checkParamsSize, formatCharge, toToolRunFailure } from './run-failure'

const appError = (data: object, message = 'No.') => Object.assign(new Error(message), { data })
const names = ['query', 'viewport']

test('a lost response leaves the charge unknown', () => {
  for (const error of [new Error('fetch failed'), undefined, { data: {} }])
    expect(toToolRunFailure(error, names)).toMatchObject({
      charged: null,
      requestId: null,
      message: /could not be reached/,
    })
})

test('each parameter gets its first error, prefixed with the path inside it', () => {
  const issues = [
    { path: 'params.viewport.width', message: 'Too small' },
    { path: 'params.viewport.height', message: 'Too large' },
    { path: 'params.query', message: 'must be shorter' },
  ]
  expect(toToolRunFailure(appError({ appCode: 'invalid_request', issues, requestId: 'r' }), names)).toEqual({
    message: 'Some parameters are invalid.',
    fieldErrors: { viewport: 'width: Too small', query: 'Must be shorter' },
    charged: 0,
    requestId: null,
  })
})

test('an issue without a field is in the message', () => {
  const issues = [
    { path: 'params', message: 'Unrecognized key' },
    { path: 'params.query', message: 'Too long' },
  ]
  const failure = toToolRunFailure(appError({ issues }, 'params: Unrecognized key'), names)
  expect(failure).toMatchObject({ message: 'params: Unrecognized key', fieldErrors: { query: 'Too long' } })
})

test('a failure after the call ran has a charge, even of zero, and a receipt', () => {
  for (const credits of [3, 0]) {
    const failure = toToolRunFailure(
      appError({ appCode: 'upstream_error', charge: { credits }, requestId: 'r' }),
      names,
    )
    expect(failure).toMatchObject({ charged: credits, requestId: 'r', message: 'No.' })
  }
})

test('a refusal costs nothing; after an error of the service the charge is unknown', () => {
  expect(toToolRunFailure(appError({ appCode: 'rate_limited' }), names).charged).toBe(0)
  expect(toToolRunFailure(appError({ appCode: 'internal_error' }), names).charged).toBeNull()
})

test.each([
  [null, /appears in Usage/],
  [0, /^Nothing was charged/],
  [1, /^1 credit was/],
  [1234, /^1\u202f234 credits were/],
])('a charge of %j is formatted', (charged, text) => {
  expect(formatCharge(charged)).toMatch(text)
})

test('parameters over the request limit, counted in bytes, are refused', () => {
  expect(checkParamsSize({ source: 'x'.repeat(1_000_000) })).toBeNull()
  expect(checkParamsSize({ source: 'x'.repeat(1_048_000) })).toMatchObject({ charged: 0, message: /1 MiB/ })
  expect(checkParamsSize({ source: 'é'.repeat(600_000) })).toMatchObject({ charged: 0 })
})

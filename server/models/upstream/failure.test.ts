import { expect, test, vi } from 'vitest'
import { log } from '../../kit/log'
import { allUpstreamsFailed, callerError, logUpstreamFailure, readFailure } from './failure'

const upstream = {
  api: 'chat' as const,
  baseUrl: 'https://llm.example/v1',
  apiKeyEnv: 'KEY',
  model: 'provider-model-9',
}
const callerErrorOf = (error: unknown, status = 400) => callerError(readFailure(error, status), 'acme/one', upstream)

test('a 400, 413 or 422 is returned to the caller, any other status is not', () => {
  for (const status of [400, 413, 422])
    expect(callerErrorOf({ message: 'Too long' }, status)).toMatchObject({ status: 400, message: 'Too long' })
  for (const status of [401, 402, 403, 404, 408, 409, 429, 500, 502, 503, 529])
    expect(callerErrorOf({ message: 'x' }, status)).toBeNull()
})

test('names of our account, keys, addresses and the upstream model are taken out', () => {
  const text = (message: string) => callerErrorOf({ message })?.message
  expect(text('Model provider-model-9 takes 8 tools')).toBe('Model acme/one takes 8 tools')
  expect(text('Key sk-or-v1-0123456789abcdef is bad for org-Ab12Cd34Ef')).toBe('Key … is bad for …')
  expect(text('request req_011CSHoEeqs5C35K2UUqR7Fy by user_2abc9def0 at https://provider.example/keys')).toBe(
    'request … by … at …',
  )
  expect(text('id 0191f2a4-7e7e-7abc-9def-0123456789ab, mail ops@provider.example')).toBe('id …, mail …')
  expect(text("Invalid value for 'temperature': expected at most 2, got 3.5")).toBe(
    "Invalid value for 'temperature': expected at most 2, got 3.5",
  )
  expect(text('maximum context length is 200000 tokens; you requested max_completion_tokens')).toBe(
    'maximum context length is 200000 tokens; you requested max_completion_tokens',
  )
})

test('a log line names the call and the upstream, and nothing that a provider echoes', () => {
  vi.stubEnv('KEY', 'short-key')
  const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
  const failure = readFailure({ message: 'short-key is not valid for provider-model-9' }, 401)
  const logged = { requestId: 'r1', owner: 7 }
  logUpstreamFailure(failure, { model: 'acme/one', upstream, logged })
  const line = { ...logged, model: 'acme/one', api: 'chat', host: 'llm.example', status: 401 }
  const err = 'the upstream answered 401: … is not valid for acme/one'
  expect(warn.mock.calls).toEqual([[{ ...line, err }, 'upstream failed']])
  warn.mockRestore()
  vi.unstubAllEnvs()
})

test('param and a worded code go along, numbers as codes do not', () => {
  expect(callerErrorOf({ message: 'x', param: 'messages', code: 'context_length_exceeded' })?.detail).toEqual({
    param: 'messages',
    upstreamCode: 'context_length_exceeded',
  })
  expect(callerErrorOf({ message: 'x', param: null, code: 400 })?.detail).toEqual({})
})

test('the text is found in every form, and there always is one', () => {
  expect(callerErrorOf('plain text')?.message).toBe('plain text')
  expect(callerErrorOf({ detail: 'fastapi says no' })?.message).toBe('fastapi says no')
  const raw = JSON.stringify({ error: { message: 'the real reason' } })
  expect(callerErrorOf({ message: 'Provider returned error', metadata: { raw } })?.message).toBe('the real reason')
  expect(callerErrorOf({ message: 'Provider returned error', metadata: { raw: 'not json' } })?.message).toBe('not json')
  for (const error of [null, {}, { message: 5 }, []])
    expect(callerErrorOf(error)?.message).toBe('The model refused the request.')
})

test('an error in a body that came with 200 has the status its code names', () => {
  expect(readFailure({ code: 400, message: 'x' }).status).toBe(400)
  expect(readFailure({ code: '503', message: 'x' }).status).toBe(503)
  expect(readFailure({ code: 'server_error', message: 'x' }).status).toBeNull()
})

test('when all failed the error has the shortest wait, and no text of a provider', () => {
  const error = allUpstreamsFailed('acme/one', [
    readFailure({ message: 'secret' }, 503, 20),
    readFailure({ message: 'x' }, 429, 5),
  ])
  expect(error).toMatchObject({ code: 'upstream_error', status: 502, retryAfter: 5 })
  expect(error.message).not.toContain('secret')
  expect(error.charge).toBeUndefined()
  expect(allUpstreamsFailed('acme/one', []).retryAfter).toBeUndefined()
})

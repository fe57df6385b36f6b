import { describe, expect, test } from 'vitest'
import { isSecretName, redactText } from './redact'

describe('a text for storage', () => {
  test.each([
    ['use tg_AbCdEfGh12345678 here', 'use [redacted] here'],
    ['sk-proj-AbCdEfGh1234_5678.', '[redacted].'],
    ['Authorization: Bearer abc.def.ghi', 'Authorization: [redacted]'],
    ['ghp_0123456789abcdefABCDEF', '[redacted]'],
    ['AKIAIOSFODNN7EXAMPLE', '[redacted]'],
    ['postgres://app:hunter2@db/x', 'postgres://app:[redacted]@db/x'],
    ['{"password":"hunter2","n":1}', '{"password":"[redacted]","n":1}'],
    ['api_key=hunter2&q=x', 'api_key=[redacted]&q=x'],
    ['x-api-key: hunter2', 'x-api-key: [redacted]'],
  ])('%s loses its secret', (text, redacted) => {
    expect(redactText(text)).toBe(redacted)
  })

  test.each(['a task-oriented risk-assessment', 'the bearer of news', 'https://example.com:8080/a@b', 'a tg_ b'])(
    '%s stays as it is',
    (text) => {
      expect(redactText(text)).toBe(text)
    },
  )
})

describe('the name of a field', () => {
  test.each(['password', 'apiKey', 'API_KEY', 'x-api-key', 'client_secret', 'Authorization', 'token', 'dbPassword'])(
    '%s is that of a secret',
    (name) => {
      expect(isSecretName(name)).toBe(true)
    },
  )

  test.each(['max_tokens', 'tokenId', 'key', 'secretary', 'author', 'pass', ''])('%s is not', (name) => {
    expect(isSecretName(name)).toBe(false)
  })
})

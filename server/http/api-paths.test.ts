import { expect, test } from 'vitest'
import { canonicalTarget } from './api-paths'

test.each([
  ['/v1/chat/completions', '/api/v1/chat/completions'],
  ['/openai/v1/responses?x=1', '/api/v1/responses?x=1'],
  ['/v1/models/', '/api/v1/models'],
  ['/api/v1/chat/completions/', '/api/v1/chat/completions'],
  ['/api/v1/models///?kind=all', '/api/v1/models?kind=all'],
  ['/v1', '/api/v1/'],
  ['/api/v1/', '/api/v1/'],
  ['/api/v1?a=/', '/api/v1/?a=/'],
  ['/api/v1//', '/api/v1/'],
])('%s is %s', (target, canonical) => {
  expect(canonicalTarget(target)).toBe(canonical)
})

test.each(['/', '/v1beta/models', '/v10', '/openai/chat/completions', '/api/v10/x/', '/keys/', '/sites/a/', '/x/v1/y'])(
  '%s stays as it is',
  (target) => {
    expect(canonicalTarget(target)).toBe(target)
  },
)

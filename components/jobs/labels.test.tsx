import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { JobBadge } from './labels'

test('who cannot answer for a waiting job is not asked to', () => {
  expect(renderToStaticMarkup(<JobBadge status="awaiting_input" />)).toContain('Waiting for you')
  const others = renderToStaticMarkup(<JobBadge status="awaiting_input" others />)
  expect(others).toContain('Waiting for its owner')
  expect(others).not.toContain('you')
})

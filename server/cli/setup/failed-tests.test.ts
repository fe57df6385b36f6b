import { expect, test } from 'vitest'
import { failedTests } from './failed-tests.mjs'

const PLAYWRIGHT = `[69/131] tests/e2e/issuer.spec.ts:34:1 › a domain lets colleagues in
  1) tests/e2e/issuer.spec.ts:34:1 › a domain lets colleagues in ─────

    \u001b[31mError: expect(locator).toBeVisible() failed\u001b[39m

    Locator: getByRole('row')
    Timeout: 60000ms

    attachment #1: screenshot (image/png) ──────
    test-results/issuer/test-failed-1.png

[70/131] tests/e2e/issuer.spec.ts:63:1 › an address that is not verified gets nobody in
  1 failed
    tests/e2e/issuer.spec.ts:34:1 › a domain lets colleagues in ────
`

const VITEST = `⎯⎯⎯⎯⎯⎯⎯ Failed Tests 2 ⎯⎯⎯⎯⎯⎯⎯

 FAIL   pure  tests/a.test.ts > adds
 FAIL   pure  tests/b.test.ts > subtracts
AssertionError: expected 3 to be 2

 ❯ tests/b.test.ts:4:11

⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯
`

test('a failure of Playwright has its reason, without the next test and its attachments', () => {
  expect(failedTests(PLAYWRIGHT)).toEqual([
    [
      '1) tests/e2e/issuer.spec.ts:34:1 › a domain lets colleagues in ─────',
      'Error: expect(locator).toBeVisible() failed',
      "Locator: getByRole('row')",
      'Timeout: 60000ms',
    ].join('\n    '),
  ])
})

test('each failure of vitest is listed, and those of one reason are both named', () => {
  expect(failedTests(VITEST)).toEqual([
    'FAIL   pure  tests/a.test.ts > adds',
    'FAIL   pure  tests/b.test.ts > subtracts\n    AssertionError: expected 3 to be 2\n    ❯ tests/b.test.ts:4:11',
  ])
})

test('a failure of many long lines is cut', () => {
  const [only, ...others] = failedTests(`1) tests/e2e/a.spec.ts:1:1 › x\n${`${'w'.repeat(500)}\n`.repeat(40)}`)
  expect(others).toEqual([])
  expect(only?.split('\n')).toHaveLength(12)
  expect(only?.length).toBeLessThan(12 * 210)
})

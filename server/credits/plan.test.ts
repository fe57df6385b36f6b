import { readFileSync } from 'node:fs'
import { expect, expectTypeOf, test } from 'vitest'
import { filesBelow } from '../../tests/support/source-imports'
import type { Checked } from '../api/billed'
import type { HeldCall } from '../chat/settle'
import { runWithinBudget } from '../tools/run'
import type { CallPlan, Held } from './plan'

// `npm run lint` checks the types: a test that runs would not see them.
test('what asks a provider or a model takes credits that are held, and a check has none', () => {
  expectTypeOf(runWithinBudget).parameter(2).toEqualTypeOf<Held>()
  expectTypeOf<HeldCall['held']>().toEqualTypeOf<Held>()
  expectTypeOf<Parameters<CallPlan<unknown>['run']>>().toEqualTypeOf<[Held]>()
  expectTypeOf<Parameters<Checked<unknown, unknown>['plan']['run']>>().toEqualTypeOf<[Held]>()
  expectTypeOf<{ kind: 'held'; amount: bigint }>().not.toExtend<Held>()
})

test('only the ledger’s answer makes held credits', () => {
  const made = filesBelow('server', 'app').filter((file) =>
    /\bas (unknown as )?Held\b/.test(readFileSync(file, 'utf8')),
  )
  expect(made.filter((file) => !file.endsWith('.test.ts'))).toEqual(['server/credits/reserve.ts'])
})

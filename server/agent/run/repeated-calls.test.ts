import { expect, it } from 'vitest'
import { reasonToEndRepetition, repetitionNote, repetitionsIn } from './repeated-calls'
import type { RunStep } from './state'

/** The steps of a run that makes these calls, a list for each model step: `call=result`. */
function stepsOf(...rounds: string[][]): RunStep[] {
  const step = (index: number, fields: Partial<RunStep>): RunStep => ({
    index,
    runId: 'r',
    kind: 'tool',
    name: 'web_search',
    input: {},
    output: {},
    error: null,
    charged: 0,
    ...fields,
  })
  let index = 0
  return rounds.flatMap((calls) => [
    step(index++, { kind: 'model', name: 'm' }),
    ...calls.map((call) => {
      const [query, result = 'same'] = call.split('=')
      // Keys come in another order from the database.
      const input = index % 2 === 0 ? { query, limit: 1 } : { limit: 1, query }
      return step(index++, { input, output: { result } })
    }),
  ])
}

const times = (n: number, ...calls: string[]) => Array.from({ length: n }, () => calls)
const countsIn = (steps: RunStep[]) => [...repetitionsIn(steps).counts.values()]

it('the same call with the same result is counted, with another result it is another', () => {
  expect(countsIn(stepsOf(...times(3, 'a')))).toEqual([1, 2, 3])
  expect(countsIn(stepsOf(['a=1'], ['a=2'], ['a=1']))).toEqual([1, 1, 2])
})

it('several in one model step count once: it could not know their results', () => {
  expect(countsIn(stepsOf(['a', 'a', 'a'], ['a']))).toEqual([1, 1, 1, 2])
})

it('the third one carries a note, the fifth in a row ends the run', () => {
  expect(repetitionNote(2)).toBe('')
  expect(repetitionNote(3)).toContain('3 times')
  expect(reasonToEndRepetition(stepsOf(...times(4, 'a')))).toBeNull()
  expect(reasonToEndRepetition(stepsOf(...times(5, 'a')))).toContain('web_search 5 times')
})

it('calls that take turns are a repetition too', () => {
  expect(reasonToEndRepetition(stepsOf(...times(6, 'a').flatMap((a) => [a, ['b']])))).not.toBeNull()
})

it('a run that learns something new between is not ended', () => {
  const rounds = Array.from({ length: 8 }, (_, i) => [['check'], [`edit ${i}`]]).flat()
  expect(reasonToEndRepetition(stepsOf(...rounds))).toBeNull()
})

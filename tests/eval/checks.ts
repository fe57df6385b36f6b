import type { EvalStep, Outcome } from './goal'

const plain = (text: string) => text.replaceAll(/(?<=\d),(?=\d{3})/g, '')

/** True where a text has a fact: a number as a word, a text as it is. */
const hasFact = (text: string, fact: string | number): boolean =>
  typeof fact === 'string'
    ? text.includes(fact)
    : new RegExp(`(?<![\\d.])${String(fact).replaceAll('.', '\\.')}(?![\\d]|\\.\\d)`).test(plain(text))

/** Facts that the result lacks. */
export const lacks = ({ result }: Outcome, ...facts: (string | number)[]): string[] =>
  facts.filter((fact) => !hasFact(result, fact)).map((fact) => `the result lacks ${fact}`)

/** A complaint where something is not as expected. */
export const unless = (isRight: boolean, complaint: string): string[] => (isRight ? [] : [complaint])

/** The calls of a tool that had a result. */
export const madeCalls = ({ steps }: Outcome, tool: string): EvalStep[] =>
  steps.filter(({ kind, name, error }) => kind === 'tool' && name === tool && error === null)

/** A complaint where a tool was not called so often. */
export const calledTimes = (outcome: Outcome, tool: string, times: { min?: number; max: number }): string[] => {
  const { length } = madeCalls(outcome, tool)
  return unless(length >= (times.min ?? 0) && length <= times.max, `${tool} was called ${length} times`)
}

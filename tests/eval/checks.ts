import type { EvalStep, Outcome } from './goal'

/** The numbers of a text, as they are written but for separators of thousands. */
const numbersIn = (text: string): string[] => text.replaceAll(/(?<=\d),(?=\d{3})/g, '').match(/\d+(\.\d+)?/g) ?? []

/** A fraction may be rounded; a whole number may not. */
function isWritten(written: string, fact: number): boolean {
  const decimals = written.split('.')[1]?.length ?? 0
  return Number(written) === fact || (decimals > 0 && !Number.isInteger(fact) && fact.toFixed(decimals) === written)
}

/** True where a text has a fact: a number, or a text as it is. */
export const hasFact = (text: string, fact: string | number): boolean =>
  typeof fact === 'string' ? text.includes(fact) : numbersIn(text).some((written) => isWritten(written, fact))

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

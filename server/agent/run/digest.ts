import { endOfPart, fitJson } from '../../kit/fit-json'
import { ModelStepOutput } from './model-step-output'
import { resultText } from './result-text'
import { inOneOrder, trimResult } from './result-trim'
import { type AgentRun, type RunStep, stepsOfRun } from './state'

/** How much of a run its digest shows: characters of the goal, and steps. */
const MAX_GOAL_CHARS = 1_500
const MAX_LINES = 40
/** Characters of a step's line. */
const LINE_CHARS = 240
const MAX_INPUT_CHARS = 80

function oneLine(text: string, maxChars: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > maxChars ? `${line.slice(0, endOfPart(line, maxChars - 1)).toWellFormed()}…` : line
}

function lineOf({ kind, name, input, output, error }: RunStep): string {
  const called = kind === 'summary' ? name : `${name} ${oneLine(json(inOneOrder(input)), MAX_INPUT_CHARS)}`
  const label = kind === 'model' ? 'model' : called
  const result = () => {
    const { value } = fitJson(trimResult(name, output).value, LINE_CHARS - label.length - 4)
    return value === null ? NOT_SHOWN : resultText(value)
  }
  const outcome = error ? `failed: ${error.message}` : kind === 'model' ? replyIn(output) : result()
  return oneLine(`- ${label}: ${outcome}`, LINE_CHARS)
}

/** What a line says of a result of which nothing fits. */
const NOT_SHOWN = 'done'

const json = (value: unknown): string => JSON.stringify(value ?? null)

function replyIn(output: unknown): string {
  const { text, calls } = ModelStepOutput.parse(output)
  return text || `calls ${calls.map(({ name }) => name).join(', ')}`
}

/** Only calls: the lines of what was called say more. */
const onlyCalls = ({ kind, error, output }: RunStep): boolean =>
  kind === 'model' && !error && ModelStepOutput.parse(output).text.trim() === ''

/** The latest steps of a run that say something, one short line each, for a person. */
export function shortDigest(run: AgentRun): string {
  const lines = stepsOfRun(run)
    .filter((step) => !onlyCalls(step))
    .slice(-MAX_LINES)
    .map(lineOf)
  return `What was done so far:\n\n${(lines.length > 0 ? lines : ['- nothing was done yet']).join('\n')}`
}

/** The goal as the final summary's prompt shows it. */
export const digestGoal = (run: AgentRun): string => oneLine(run.goal, MAX_GOAL_CHARS)

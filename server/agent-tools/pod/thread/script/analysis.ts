import { mayOverwrite, type ScriptContext } from './script-context'
import { displayWord, type ScriptWord } from './word'

/** What is known so far of a script and the scripts inside it. */
export type Findings = {
  /** Sentences about what it destroys and what is unclear. */
  actions: Set<string>
  /** Names of the functions it defines. Their bodies are analyzed where they are defined. */
  functions: Set<string>
  /** It writes to a file. */
  writes: boolean
  /** It runs a file of the pod as a script. */
  runsFile: boolean
  /** Characters analyzed so far: scripts that run one another could be endless. */
  characters: number
  /** Lookups so far. Each one goes over all files. */
  lookups: number
}

export type ScriptAnalysis = {
  context: ScriptContext
  findings: Findings
  /** Analyzes a script inside this one. */
  readScript: (text: string) => void
  /** Analyzes a command that another one runs, as words with the name first. */
  readWords: (words: readonly ScriptWord[], how: Pick<CommandCall, 'argsFromInput' | 'input'>) => void
}

/** A command with what is known of its arguments and its input. */
export type CommandCall = {
  name: string
  args: readonly ScriptWord[]
  /** Text that the command reads as its input; null: unknown, undefined: it has none. */
  input: ScriptWord | null | undefined
  /** Further arguments come from the input, as with xargs. */
  argsFromInput: boolean
}

/** Analyzes one command. */
export type CommandRule = (call: CommandCall, analysis: ScriptAnalysis) => void

const MAX_LOOKUPS = 500

/** Counts a lookup over the files. False when there were too many, which is noted. */
export function countLookup(analysis: ScriptAnalysis): boolean {
  if (++analysis.findings.lookups <= MAX_LOOKUPS) return true
  noteUnknown(analysis, 'what so many commands write to')
  return false
}

/** Notes a write to a file, and whether it may overwrite the content. */
export function noteWrite(analysis: ScriptAnalysis, arg: ScriptWord, what: string): void {
  analysis.findings.writes = true
  if (countLookup(analysis) && mayOverwrite(analysis.context, arg))
    analysis.findings.actions.add(`${what} may overwrite ${displayWord(arg)}`)
}

export const noteUnknown = (analysis: ScriptAnalysis, what: string): void =>
  void analysis.findings.actions.add(`it is unclear ${what}`)

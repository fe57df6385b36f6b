import { mayOverwrite, type ScriptContext } from './script-context'
import { displayWord, type ScriptWord } from './word'

/** What has been found out about a script so far, and about the scripts inside it. */
export type Findings = {
  /** What it destroys, or what cannot be told, in words. */
  acts: Set<string>
  /** Names that the script gives to functions; their bodies are read where they stand. */
  functions: Set<string>
  /** It writes to some file. */
  writes: boolean
  /** It runs a file of the pod as a script. */
  runsFile: boolean
  /** Characters read so far: scripts that run one another could go on for ever. */
  characters: number
  /** Places looked at so far: each look goes over all files. */
  looks: number
}

export type ScriptAnalysis = {
  world: ScriptContext
  found: Findings
  /** Reads a script that stands inside this one. */
  readScript: (text: string) => void
  /** Reads a command that another one runs, its name first. */
  readWords: (words: readonly ScriptWord[], how: Pick<CommandCall, 'isFed' | 'input'>) => void
}

/** A command with what is known of its words, and how its input comes to it. */
export type CommandCall = {
  name: string
  args: readonly ScriptWord[]
  /** Text that the command reads as its input; null: nothing that could be read, undefined: none is given. */
  input: ScriptWord | null | undefined
  /** Its words come from input, as with xargs: there may be more than stand here. */
  isFed: boolean
}

/** Reads one command. */
export type CommandRule = (call: CommandCall, reading: ScriptAnalysis) => void

const MOST_LOOKS = 500

/** Counts a look at the files that stand there; false when there were too many, which is noted. */
export function countLookup(reading: ScriptAnalysis): boolean {
  if (++reading.found.looks <= MOST_LOOKS) return true
  noteUnknown(reading, 'what so many commands write to')
  return false
}

/** Notes that a file is written to, and tells when that may put an end to what it holds. */
export function noteWrite(reading: ScriptAnalysis, arg: ScriptWord, what: string): void {
  reading.found.writes = true
  if (countLookup(reading) && mayOverwrite(reading.world, arg))
    reading.found.acts.add(`${what} may overwrite ${displayWord(arg)}`)
}

export const noteUnknown = (reading: ScriptAnalysis, what: string): void =>
  void reading.found.acts.add(`it cannot be told ${what}`)

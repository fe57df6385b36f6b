import type { ScriptNode, SimpleCommandNode } from 'just-bash'
import {
  type CommandCall,
  type CommandRule,
  type Findings,
  noteUnknown,
  noteWrite,
  type ScriptAnalysis,
} from './analysis'
import { FILE_RULES } from './file-rules'
import { RUN_RULES, runFileRule, steersShell } from './run-rules'
import { possiblePaths, type ScriptContext } from './script-context'
import { TEXT_RULES } from './text-rules'
import { displayWord, type ScriptWord, scriptWordOf, wordText } from './word'

type Parse = (text: string) => ScriptNode
type Redirection = SimpleCommandNode['redirections'][number]

/** Any part of a script, as a walk over all of them sees it. */
type Part = { type: string } & Record<string, unknown>

/** Scripts inside scripts that are read; what is nested deeper is not. */
const MOST_DEPTH = 8

/** Characters that are read, of one script and of all together: the parser's time grows with the square of them. */
const MOST_AT_ONCE = 20_000
const MOST_CHARACTERS = 60_000

const READS_ONLY: CommandRule = () => {}

/** Commands that can only read, whatever they are given, or make something new. */
const HARMLESS = [
  ...['cat', 'head', 'tail', 'wc', 'grep', 'egrep', 'fgrep', 'ls', 'pwd', 'echo', 'cut', 'tr', 'comm', 'diff', 'join'],
  ...['paste', 'column', 'nl', 'od', 'rev', 'tac', 'strings', 'fold', 'expand', 'unexpand', 'md5sum', 'sha1sum'],
  ...['sha256sum', 'base64', 'basename', 'dirname', 'stat', 'file', 'readlink', 'du', 'which', 'whoami', 'hostname'],
  ...[
    'date',
    'seq',
    'sleep',
    'expr',
    'true',
    'false',
    'test',
    '[',
    'jq',
    'touch',
    'mkdir',
    'printenv',
    'zcat',
    'clear',
  ],
  ...['help', 'history', 'chmod', 'html-to-markdown', 'unalias', 'cd', 'pushd', 'popd', 'dirs', ':', 'set', 'shopt'],
  ...['shift', 'return', 'exit', 'break', 'continue', 'wait', 'type', 'times', 'caller', 'umask'],
]

const RULES = new Map<string, CommandRule>([
  ...HARMLESS.map((name) => [name, READS_ONLY] as const),
  ...Object.entries({ ...FILE_RULES, ...TEXT_RULES, ...RUN_RULES }),
])

/**
 * What a script may destroy of what stands there before it runs, and what of it cannot be read, in words; empty when it
 * only reads or makes what is new. `parse` must be the parser of the shell that is to run it.
 */
export function analyzeScript(parse: Parse, script: string, world: ScriptContext): string[] {
  const found: Findings = {
    acts: new Set(),
    functions: new Set(),
    writes: false,
    runsFile: false,
    characters: 0,
    looks: 0,
  }
  readingOf(parse, found, world, 0).readScript(script)
  if (found.runsFile && found.writes) found.acts.add('it runs a script and writes files, perhaps that one')
  return [...found.acts]
}

function readingOf(parse: Parse, found: Findings, world: ScriptContext, depth: number): ScriptAnalysis {
  const reading: ScriptAnalysis = {
    world,
    found,
    readScript: (text) => {
      found.characters += text.length
      const isTooMuch = text.length > MOST_AT_ONCE || found.characters > MOST_CHARACTERS
      if (isTooMuch || depth >= MOST_DEPTH) return noteUnknown(reading, 'what so long a script does')
      try {
        const tree = parse(text)
        collectFunctions(tree, found.functions)
        walk(tree, readingOf(parse, found, { ...world, bases: basesIn(tree, world) }, depth + 1))
      } catch {
        noteUnknown(reading, `what this means: ${text.slice(0, 100)}`)
      }
    },
    readWords: (words, how) => readWords(reading, words, how),
  }
  return reading
}

function readWords(
  reading: ScriptAnalysis,
  [first = [], ...args]: readonly ScriptWord[],
  how: Pick<CommandCall, 'isFed' | 'input'>,
): void {
  const given = wordText(first)
  if (given === null) {
    noteUnknown(reading, `which command ${displayWord(first)} is`)
    return
  }
  const [, inSystem] = /^\/(?:usr\/)?bin\/([^/]+)$/.exec(given) ?? []
  const name = inSystem ?? given
  const rule = RULES.get(name) ?? (name.includes('/') ? runFileRule : undefined)
  if (rule) rule({ name, args, ...how }, reading)
  else if (!reading.found.functions.has(name)) noteUnknown(reading, `what the command ${name} does`)
}

const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Every part of a script below one, in the order in which they stand. */
function childrenOf(node: object): unknown[] {
  return Object.values(node).flatMap((value: unknown) => (Array.isArray(value) ? value : [value]))
}

/** Calls `look` for every part of a tree. */
function eachPart(node: unknown, look: (part: Part) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (isPart(node)) look(node)
  for (const child of childrenOf(node)) eachPart(child, look)
}

function collectFunctions(tree: ScriptNode, functions: Set<string>): void {
  eachPart(tree, (part) => {
    if (part.type === 'FunctionDef') functions.add(String(part.name))
  })
}

/** Where relative paths of a script may start: a single plain `cd` adds a folder; what is harder to follow, any. */
function basesIn(tree: ScriptNode, world: ScriptContext): readonly string[] | null {
  const moves: (string | null)[] = []
  eachPart(tree, (part) => {
    if (!isCommand(part) || !part.name) return
    const words = [part.name, ...part.args].map((word) => wordText(scriptWordOf(word)))
    const name = words[0] === 'command' || words[0] === 'builtin' ? words[1] : words[0]
    if (name === 'cd') moves.push(words.length === 2 ? (words[1] ?? null) : null)
    if (name === 'pushd' || name === 'popd') moves.push(null)
  })
  const [to] = moves
  if (moves.length === 0 || !world.bases) return world.bases
  if (moves.length > 1 || typeof to !== 'string' || to === '-') return null
  return [...world.bases, ...(possiblePaths(world, to) ?? [])]
}

const isCommand = (part: Part): part is Part & SimpleCommandNode => part.type === 'SimpleCommand'

function walk(tree: ScriptNode, reading: ScriptAnalysis): void {
  eachPart(tree, (part) => {
    if (isCommand(part)) readCommand(part, reading)
    if (part.type === 'Redirection') readRedirection(part as Part & Redirection, reading)
    if (part.type === 'ArithCommandSubst') reading.readScript(String(part.command))
    if (part.type === 'Transform' && part.operator === 'P') noteUnknown(reading, 'what a prompt runs')
    if (part.type === 'Statement' && part.deferredError) noteUnknown(reading, 'what a line that is not valid does')
    if (hidesScript(part) || isHiddenScript(part)) noteUnknown(reading, 'what a script inside a number or a name runs')
  })
}

/** Fields that repeat in words what other parts hold, and the words of a script themselves. */
const PLAIN = new Set(['sourceText', 'originalText', 'value', 'delimiter', 'type', 'command'])

/** True where the parser left a command substitution as text that it will read later. */
const hidesScript = (part: Part): boolean =>
  Object.entries(part).some(
    ([field, value]) =>
      typeof value === 'string' && !PLAIN.has(field) && /\$\(|`|\$\{.*[($`]|CommandSubstitution/s.test(value),
  ) ||
  (part.type === 'ArithmeticExpression' && /\$\(|`/.test(String(part.originalText)) && !hasSubstitution(part))

/** True for plain text that turns into a command where it is taken for a number or the name of a variable. */
const isHiddenScript = ({ type, value }: Part): boolean =>
  (type === 'Literal' || type === 'SingleQuoted') && typeof value === 'string' && runsInIndex(value)

/** True where a command substitution stands between the brackets behind a name. One pass, however many are open. */
function runsInIndex(text: string): boolean {
  let isOpen = false
  for (const [token] of text.matchAll(/\w\[|\]|\$\(|`/g)) {
    if (token === ']') isOpen = false
    else if (token.endsWith('[')) isOpen = true
    else if (isOpen) return true
  }
  return false
}

function hasSubstitution(part: Part): boolean {
  let found = false
  eachPart(part, ({ type }) => {
    if (type === 'ArithCommandSubst' || type === 'ArithNested') found = true
  })
  return found
}

function readCommand({ name, args, assignments, redirections }: SimpleCommandNode, reading: ScriptAnalysis): void {
  if (assignments.some((one) => steersShell(`${one.name}=`))) noteUnknown(reading, 'what the names of commands mean')
  if (!name) return
  const words = [name, ...args].map(scriptWordOf)
  reading.readWords(words, { isFed: false, input: inputOf(redirections) })
}

/** What a command is given to read, where that stands in the script. */
function inputOf(redirections: readonly Redirection[]): ScriptWord | null | undefined {
  const last = redirections.filter(({ operator }) => operator.startsWith('<')).at(-1)
  if (!last) return undefined
  if (last.target.type === 'HereDoc') return scriptWordOf(last.target.content)
  return last.operator === '<<<' ? scriptWordOf(last.target) : null
}

function readRedirection({ operator, target }: Redirection, reading: ScriptAnalysis): void {
  if (target.type === 'HereDoc' || (operator.startsWith('<') && operator !== '<>')) return
  const file = scriptWordOf(target)
  if (operator === '>&' && /^(\d+-?|-)$/.test(wordText(file) ?? '')) return
  if (operator.endsWith('>>')) reading.found.writes = true
  else noteWrite(reading, file, operator)
}

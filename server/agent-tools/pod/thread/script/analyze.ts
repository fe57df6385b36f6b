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

/** Any node of a script's syntax tree. */
type Part = { type: string } & Record<string, unknown>

/** How deep scripts inside scripts are analyzed. */
const MAX_DEPTH = 8

/** Characters that are parsed, of one script and in total: the parser takes quadratic time. */
const MAX_SCRIPT_CHARS = 20_000
const MAX_TOTAL_CHARS = 60_000

const noEffect: CommandRule = () => {}

/** Commands that only read or create something new, whatever their arguments are. */
const READ_ONLY_COMMANDS = [
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

/**
 * What a program in Python destroys is seen when it has run: then nothing is kept, and the error
 * says to remove it plainly, in the shell, so that a person can approve it.
 */
const SEEN_AFTERWARDS = ['python', 'python3']

const RULES = new Map<string, CommandRule>([
  ...SEEN_AFTERWARDS.map((name) => [name, noEffect] as const),
  ...READ_ONLY_COMMANDS.map((name) => [name, noEffect] as const),
  ...Object.entries({ ...FILE_RULES, ...TEXT_RULES, ...RUN_RULES }),
])

/**
 * Sentences about what a script may destroy of the existing files, and about what is unclear; none
 * when it only reads or creates new files. `parse` must be the parser of the shell that runs it.
 */
export function analyzeScript(parse: Parse, script: string, context: ScriptContext): string[] {
  const findings: Findings = {
    actions: new Set(),
    functions: new Set(),
    writes: false,
    runsFile: false,
    characters: 0,
    lookups: 0,
  }
  startAnalysis(parse, findings, context, 0).readScript(script)
  if (findings.runsFile && findings.writes) findings.actions.add('it runs a script and writes files, perhaps that one')
  return [...findings.actions]
}

function startAnalysis(parse: Parse, findings: Findings, context: ScriptContext, depth: number): ScriptAnalysis {
  const analysis: ScriptAnalysis = {
    context,
    findings,
    readScript: (text) => {
      findings.characters += text.length
      const isTooMuch = text.length > MAX_SCRIPT_CHARS || findings.characters > MAX_TOTAL_CHARS
      if (isTooMuch || depth >= MAX_DEPTH) return noteUnknown(analysis, 'what so long a script does')
      try {
        const tree = parse(text)
        collectFunctions(tree, findings.functions)
        analyzeParts(tree, startAnalysis(parse, findings, { ...context, folders: foldersIn(tree, context) }, depth + 1))
      } catch {
        noteUnknown(analysis, `what this means: ${text.slice(0, 100)}`)
      }
    },
    readWords: (words, how) => readWords(analysis, words, how),
  }
  return analysis
}

function readWords(
  analysis: ScriptAnalysis,
  [first = [], ...args]: readonly ScriptWord[],
  how: Pick<CommandCall, 'argsFromInput' | 'input'>,
): void {
  const given = wordText(first)
  if (given === null) {
    noteUnknown(analysis, `which command ${displayWord(first)} is`)
    return
  }
  const [, inSystem] = /^\/(?:usr\/)?bin\/([^/]+)$/.exec(given) ?? []
  const name = inSystem ?? given
  const rule = RULES.get(name) ?? (name.includes('/') ? runFileRule : undefined)
  if (rule) rule({ name, args, ...how }, analysis)
  else if (!analysis.findings.functions.has(name)) noteUnknown(analysis, `what the command ${name} does`)
}

const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** The values in a node, in the order of the script. */
function childrenOf(node: object): unknown[] {
  return Object.values(node).flatMap((value: unknown) => (Array.isArray(value) ? value : [value]))
}

function forEachPart(node: unknown, visit: (part: Part) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (isPart(node)) visit(node)
  for (const child of childrenOf(node)) forEachPart(child, visit)
}

function collectFunctions(tree: ScriptNode, functions: Set<string>): void {
  forEachPart(tree, (part) => {
    if (part.type === 'FunctionDef') functions.add(String(part.name))
  })
}

/**
 * The folders that a script's relative paths may start from. A single plain `cd` adds one; with
 * anything harder to follow it may be any folder: null.
 */
function foldersIn(tree: ScriptNode, context: ScriptContext): readonly string[] | null {
  const moves: (string | null)[] = []
  forEachPart(tree, (part) => {
    if (!isCommand(part) || !part.name) return
    const words = [part.name, ...part.args].map((word) => wordText(scriptWordOf(word)))
    const name = words[0] === 'command' || words[0] === 'builtin' ? words[1] : words[0]
    if (name === 'cd') moves.push(words.length === 2 ? (words[1] ?? null) : null)
    if (name === 'pushd' || name === 'popd') moves.push(null)
  })
  const [to] = moves
  if (moves.length === 0 || !context.folders) return context.folders
  if (moves.length > 1 || typeof to !== 'string' || to === '-') return null
  return [...context.folders, ...(possiblePaths(context, to) ?? [])]
}

const isCommand = (part: Part): part is Part & SimpleCommandNode => part.type === 'SimpleCommand'

function analyzeParts(tree: ScriptNode, analysis: ScriptAnalysis): void {
  forEachPart(tree, (part) => {
    if (isCommand(part)) readCommand(part, analysis)
    if (part.type === 'Redirection') readRedirection(part as Part & Redirection, analysis)
    if (part.type === 'ArithCommandSubst') analysis.readScript(String(part.command))
    if (part.type === 'Transform' && part.operator === 'P') noteUnknown(analysis, 'what a prompt runs')
    if (part.type === 'Statement' && part.deferredError) noteUnknown(analysis, 'what an invalid line does')
    if (hidesScript(part) || isHiddenScript(part)) noteUnknown(analysis, 'what a script inside a number or a name runs')
  })
}

/** Fields with source text that other nodes hold too, and with the script's own words. */
const PLAIN = new Set(['sourceText', 'originalText', 'value', 'delimiter', 'type', 'command'])

/** True where the parser left a command substitution as text that it will parse later. */
const hidesScript = (part: Part): boolean =>
  Object.entries(part).some(
    ([field, value]) =>
      typeof value === 'string' && !PLAIN.has(field) && /\$\(|`|\$\{.*[($`]|CommandSubstitution/s.test(value),
  ) ||
  (part.type === 'ArithmeticExpression' && /\$\(|`/.test(String(part.originalText)) && !hasSubstitution(part))

/** True for plain text that becomes a command where the shell expects a number or a variable. */
const isHiddenScript = ({ type, value }: Part): boolean =>
  (type === 'Literal' || type === 'SingleQuoted') && typeof value === 'string' && runsInIndex(value)

/**
 * True for a command substitution in the brackets after a name. One pass, however many brackets.
 */
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
  forEachPart(part, ({ type }) => {
    if (type === 'ArithCommandSubst' || type === 'ArithNested') found = true
  })
  return found
}

function readCommand({ name, args, assignments, redirections }: SimpleCommandNode, analysis: ScriptAnalysis): void {
  if (assignments.some((one) => steersShell(`${one.name}=`))) noteUnknown(analysis, 'what the names of commands mean')
  if (!name) return
  const words = [name, ...args].map(scriptWordOf)
  analysis.readWords(words, { argsFromInput: false, input: inputOf(redirections) })
}

/** A command's input, where it is part of the script. */
function inputOf(redirections: readonly Redirection[]): ScriptWord | null | undefined {
  const last = redirections.filter(({ operator }) => operator.startsWith('<')).at(-1)
  if (!last) return undefined
  if (last.target.type === 'HereDoc') return scriptWordOf(last.target.content)
  return last.operator === '<<<' ? scriptWordOf(last.target) : null
}

function readRedirection({ operator, target }: Redirection, analysis: ScriptAnalysis): void {
  if (target.type === 'HereDoc' || (operator.startsWith('<') && operator !== '<>')) return
  const file = scriptWordOf(target)
  if (operator === '>&' && /^(\d+-?|-)$/.test(wordText(file) ?? '')) return
  if (operator.endsWith('>>')) analysis.findings.writes = true
  else noteWrite(analysis, file, operator)
}

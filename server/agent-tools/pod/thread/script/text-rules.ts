import { type CommandRule, noteUnknown, noteWrite } from './analysis'
import { hasOption, optionValues, parseOptions } from './options'
import { isNothingKept } from './script-context'
import { sedEffects } from './sed-script'
import { knownPrefix, type ScriptWord, wordText } from './word'

const sed: CommandRule = ({ args, argsFromInput }, analysis) => {
  // The first of these letters decides: a value follows e and f, a suffix follows i.
  const isInPlace = (arg: ScriptWord) =>
    /^--in-place/.test(knownPrefix(arg)) || /^-[a-zA-Z]*?([efi])/.exec(knownPrefix(arg))?.[1] === 'i'
  const isOwn = !argsFromInput && args.every((arg) => isNothingKept(analysis.context, arg))
  if (args.some(isInPlace) && !isOwn) analysis.findings.actions.add('sed -i rewrites files')
  const words = parseOptions(args, ['e', 'f', 'l', 'expression', 'file', 'line-length'])
  if (hasOption(words, 'f', 'file')) noteUnknown(analysis, 'what the script of sed does')
  const given = optionValues(words, 'e', 'expression')
  const scripts = given.length > 0 ? given : words.operands.slice(0, 1)
  // What is only known at run time is nearly always part of a pattern: it counts as a letter.
  const text = scripts.map((script) => script.map((piece) => piece ?? 'x').join('')).join('\n')
  const effects = sedEffects(text)
  if (!effects || effects.runs) noteUnknown(analysis, 'what the script of sed does')
  for (const file of effects?.writes ?? []) noteWrite(analysis, [file], 'sed')
}

const awk: CommandRule = ({ args }, analysis) => {
  const words = parseOptions(args, ['F', 'v', 'f', 'i', 'field-separator', 'assign', 'file', 'include'], true)
  if (hasOption(words, 'i', 'include')) return void analysis.findings.actions.add('awk -i may rewrite files')
  if (hasOption(words, 'f', 'file')) return noteUnknown(analysis, 'what the script of awk does')
  const [program] = words.operands
  if (!program) return
  const text = wordText(program)
  if (text === null) return noteUnknown(analysis, 'what the script of awk does')
  const strings: string[] = []
  // An unclosed string extends to the end of the program. Otherwise the expression would try each
  // quote.
  const bare = text.replace(/"((?:\\.|[^"\\])*)("|\\?$)/gs, (_whole, inner: string, end: string) => {
    if (end !== '"') noteUnknown(analysis, 'what awk runs')
    return `"${strings.push(inner) - 1}"`
  })
  if (/\bsystem\s*\(|\bgetline\b|\|\s*"|\|&/.test(bare)) noteUnknown(analysis, 'what awk runs')
  for (const statement of bare.split(/[;}\n]/)) {
    const at = statement.indexOf('>')
    if (at < 0 || !/\bprintf?\b/.test(statement.slice(0, at))) continue
    const appends = statement[at + 1] === '>'
    const [, index] = /^"(\d+)"$/.exec(statement.slice(at + (appends ? 2 : 1)).trim()) ?? []
    if (appends) analysis.findings.writes = true
    else noteWrite(analysis, [index === undefined ? null : (strings[Number(index)] ?? null)], 'awk')
  }
}

const yq: CommandRule = ({ args, argsFromInput }, { findings, context }) => {
  if (!argsFromInput && args.every((arg) => isNothingKept(context, arg))) return
  if (args.some((arg) => /^(-[a-zA-Z]*i|--in-?place)/.test(knownPrefix(arg))))
    findings.actions.add('yq -i rewrites a file')
}

const rg: CommandRule = ({ args }, analysis) => {
  if (args.some((arg) => /^--(pre|hostname-bin)\b/.test(knownPrefix(arg)))) noteUnknown(analysis, 'what rg runs')
}

/** Commands with a small language. */
export const TEXT_RULES: Record<string, CommandRule> = { sed, awk, gawk: awk, mawk: awk, yq, rg }

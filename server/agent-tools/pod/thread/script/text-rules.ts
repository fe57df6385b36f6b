import { type CommandRule, noteUnknown, noteWrite } from './analysis'
import { hasOption, optionValues, parseOptions } from './options'
import { sedEffects } from './sed-script'
import { knownPrefix, type ScriptWord, wordText } from './word'

const sed: CommandRule = ({ args }, reading) => {
  // The first of these letters counts: what follows e and f is their value, what follows i a suffix.
  const isInPlace = (arg: ScriptWord) =>
    /^--in-place/.test(knownPrefix(arg)) || /^-[a-zA-Z]*?([efi])/.exec(knownPrefix(arg))?.[1] === 'i'
  if (args.some(isInPlace)) reading.found.acts.add('sed -i rewrites files')
  const words = parseOptions(args, ['e', 'f', 'l', 'expression', 'file', 'line-length'])
  if (hasOption(words, 'f', 'file')) noteUnknown(reading, 'what the script of sed does')
  const given = optionValues(words, 'e', 'expression')
  const scripts = given.length > 0 ? given : words.operands.slice(0, 1)
  // What is only known while it runs stands in a pattern almost always: it is read as a letter.
  const text = scripts.map((script) => script.map((piece) => piece ?? 'x').join('')).join('\n')
  const effects = sedEffects(text)
  if (!effects || effects.runs) noteUnknown(reading, 'what the script of sed does')
  for (const file of effects?.writes ?? []) noteWrite(reading, [file], 'sed')
}

const awk: CommandRule = ({ args }, reading) => {
  const words = parseOptions(args, ['F', 'v', 'f', 'i', 'field-separator', 'assign', 'file', 'include'], true)
  if (hasOption(words, 'i', 'include')) return void reading.found.acts.add('awk -i may rewrite files')
  if (hasOption(words, 'f', 'file')) return noteUnknown(reading, 'what the script of awk does')
  const [program] = words.operands
  if (!program) return
  const text = wordText(program)
  if (text === null) return noteUnknown(reading, 'what the script of awk does')
  const strings: string[] = []
  // A string that never ends reaches to the end of the program: left open, each quote would be tried for itself.
  const bare = text.replace(/"((?:\\.|[^"\\])*)("|\\?$)/gs, (_whole, inner: string, end: string) => {
    if (end !== '"') noteUnknown(reading, 'what awk runs')
    return `"${strings.push(inner) - 1}"`
  })
  if (/\bsystem\s*\(|\bgetline\b|\|\s*"|\|&/.test(bare)) noteUnknown(reading, 'what awk runs')
  for (const statement of bare.split(/[;}\n]/)) {
    const at = statement.indexOf('>')
    if (at < 0 || !/\bprintf?\b/.test(statement.slice(0, at))) continue
    const appends = statement[at + 1] === '>'
    const [, index] = /^"(\d+)"$/.exec(statement.slice(at + (appends ? 2 : 1)).trim()) ?? []
    if (appends) reading.found.writes = true
    else noteWrite(reading, [index === undefined ? null : (strings[Number(index)] ?? null)], 'awk')
  }
}

const yq: CommandRule = ({ args }, { found }) => {
  if (args.some((arg) => /^(-[a-zA-Z]*i|--in-?place)/.test(knownPrefix(arg)))) found.acts.add('yq -i rewrites a file')
}

const rg: CommandRule = ({ args }, reading) => {
  if (args.some((arg) => /^--(pre|hostname-bin)\b/.test(knownPrefix(arg)))) noteUnknown(reading, 'what rg runs')
}

/** Commands that have a small language of their own. */
export const TEXT_RULES: Record<string, CommandRule> = { sed, awk, gawk: awk, mawk: awk, yq, rg }

import { hasOption, valuesOf, wordsOf } from './options'
import { cannotTell, noteWrite, type Reading, type Rule } from './reading'
import { beginOf, textOf } from './word'

const sed: Rule = ({ args }, reading) => {
  if (args.some((arg) => /^(-[a-zA-Z]*i|--in-place)/.test(beginOf(arg)) && !/^-[a-zA-Z]*[ef]/.test(beginOf(arg)))) {
    reading.found.acts.add('sed -i rewrites files')
  }
  const words = wordsOf(args, ['e', 'f', 'l', 'expression', 'file', 'line-length'])
  if (hasOption(words, 'f', 'file')) cannotTell(reading, 'what the script of sed does')
  const scripts = valuesOf(words, 'e', 'expression')
  for (const script of scripts.length > 0 ? scripts : words.operands.slice(0, 1)) {
    const text = script.map((piece) => piece ?? 'x').join('')
    for (const line of text.split('\n')) sedLine(line, reading)
  }
}

/** The commands w, W and e, and the flags w and e of s: a file is written, a command runs. */
function sedLine(line: string, reading: Reading): void {
  const [, file] = /(?:^|[;{}\d$/,!\s]|\/[gpIiMm0-9]*)[wW]\s+(\S.*)$/.exec(line) ?? []
  if (file !== undefined) noteWrite(reading, [file.trim()], 'sed')
  if (/(?:^|[;{}\d$/!])\s*e(\s|$|;)/.test(line) || /\/[gpIiMm0-9]*e[gpIiMm0-9]*\s*(;|}|$)/.test(line)) {
    cannotTell(reading, 'what sed runs')
  }
}

const awk: Rule = ({ args }, reading) => {
  const words = wordsOf(args, ['F', 'v', 'f', 'i', 'field-separator', 'assign', 'file', 'include'], true)
  if (hasOption(words, 'i', 'include')) return void reading.found.acts.add('awk -i may rewrite files')
  if (hasOption(words, 'f', 'file')) return cannotTell(reading, 'what the script of awk does')
  const [program] = words.operands
  if (!program) return
  const text = textOf(program)
  if (text === null) return cannotTell(reading, 'what the script of awk does')
  const strings: string[] = []
  const bare = text.replace(/"((?:\\.|[^"\\])*)"/gs, (_whole, inner: string) => `"${strings.push(inner) - 1}"`)
  if (/\bsystem\s*\(|\bgetline\b|\|\s*"|\|&/.test(bare)) cannotTell(reading, 'what awk runs')
  for (const [, , op = '', target = ''] of bare.matchAll(/\b(print|printf)\b[^;}\n>]*(>>?)\s*([^;}\n]*)/g)) {
    const [, index] = /^"(\d+)"\s*$/.exec(target) ?? []
    if (op === '>>') reading.found.writes = true
    else noteWrite(reading, [index === undefined ? null : (strings[Number(index)] ?? null)], 'awk')
  }
}

const yq: Rule = ({ args }, { found }) => {
  if (args.some((arg) => /^(-[a-zA-Z]*i|--in-?place)/.test(beginOf(arg)))) found.acts.add('yq -i rewrites a file')
}

const rg: Rule = ({ args }, reading) => {
  if (args.some((arg) => /^--(pre|hostname-bin)\b/.test(beginOf(arg)))) cannotTell(reading, 'what rg runs')
}

/** Commands that have a small language of their own. */
export const TEXT_RULES: Record<string, Rule> = { sed, awk, gawk: awk, mawk: awk, yq, rg }

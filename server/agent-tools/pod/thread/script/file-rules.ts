import path from 'node:path'
import { isSystemPath } from '../../pod-files'
import {
  type CommandCall,
  type CommandRule,
  countLookup,
  noteUnknown,
  noteWrite,
  type ScriptAnalysis,
} from './analysis'
import { hasOption, optionValues, parseOptions } from './options'
import { folderHasContent, isNothingKept, mayOverwrite, pathMatcherFor, possiblePaths } from './script-context'
import { displayWord, type ScriptWord, wordText } from './word'

/** Commands that remove whatever their operands are, and take no files in other forms. */
const PLAIN_REMOVERS: ReadonlySet<string> = new Set(['rm', 'unlink'])

const remove: CommandRule = ({ name, args, argsFromInput }, analysis) => {
  const { findings } = analysis
  const isPlain = PLAIN_REMOVERS.has(name) && args.length > 0 && !argsFromInput
  if (isPlain && args.every((arg) => isNothingKept(analysis.context, arg))) return
  findings.actions.add(
    `${name} removes or wipes ${args.length > 0 ? args.map(displayWord).join(' ').slice(0, 200) : 'the files in its input'}`,
  )
}

/**
 * The sources and the target of a copy or move. `asFile`: a folder is replaced, not copied into.
 */
function copyArguments({ args }: CommandCall): {
  sources: readonly ScriptWord[]
  to: ScriptWord | undefined
  asFile: boolean
} {
  const words = parseOptions(args, ['t', 'target-directory', 'S', 'suffix'])
  const [folder] = optionValues(words, 't', 'target-directory')
  if (folder) return { sources: words.operands, to: folder, asFile: false }
  const asFile = hasOption(words, 'T', 'no-target-directory')
  return { sources: words.operands.slice(0, -1), to: words.operands.at(-1), asFile }
}

/** True when a folder already has a file with the name of what a word means, or may mean. */
function collides(analysis: ScriptAnalysis, source: ScriptWord, folder: string): boolean {
  const { context } = analysis
  const isThere = (name: string) => context.kindOf(path.posix.join(folder, name)) !== null
  const text = wordText(source)
  // The content of a folder: any of its files may be meant.
  if (text !== null && /(^|\/)\.{0,2}$/.test(text)) return folderHasContent(context, folder)
  if (text !== null) return isThere(path.posix.basename(text))
  if (!countLookup(analysis)) return true
  // Files that match, or the folders they are in.
  return context.files.filter(pathMatcherFor(context, source)).some((at) => at.split('/').slice(1).some(isThere))
}

/** True when copying to a target may overwrite it: the file itself, or files in the folder. */
function overwrites(
  analysis: ScriptAnalysis,
  sources: readonly ScriptWord[],
  to: ScriptWord,
  asFile: boolean,
): boolean {
  const { context } = analysis
  const text = wordText(to)
  const places = text === null ? null : possiblePaths(context, text)
  if (mayOverwrite(context, to)) return true
  if (!places) return context.files.length > 0
  return places.some((at) => {
    if (context.kindOf(at) !== 'folder') return false
    if (asFile) return folderHasContent(context, at)
    return sources.some((source) => collides(analysis, source, at))
  })
}

const copyOrMove: CommandRule = (call, analysis) => {
  const { sources, to, asFile } = copyArguments(call)
  analysis.findings.writes = true
  if (call.argsFromInput || !to) {
    if (call.argsFromInput) noteUnknown(analysis, `what ${call.name} writes to`)
    return
  }
  const text = wordText(to)
  const keeps = hasOption(parseOptions(call.args), 'n', 'no-clobber')
  if (call.name === 'mv' && text !== null && isSystemPath(path.posix.resolve('/', text)) && text.startsWith('/')) {
    analysis.findings.actions.add(`mv moves ${sources.map(displayWord).join(' ')} out of the pod`)
  } else if (!keeps && countLookup(analysis) && overwrites(analysis, sources, to, asFile)) {
    analysis.findings.actions.add(`${call.name} may overwrite ${displayWord(to)}`)
  }
}

const link: CommandRule = (call, analysis) => {
  analysis.findings.writes = true
  if (hasOption(parseOptions(call.args), 'f', 'force')) copyOrMove(call, analysis)
}

const tee: CommandRule = (call, analysis) => {
  const words = parseOptions(call.args)
  analysis.findings.writes = true
  if (hasOption(words, 'a', 'append')) return
  if (call.argsFromInput) noteUnknown(analysis, 'what tee writes to')
  for (const operand of words.operands) noteWrite(analysis, operand, 'tee')
}

/** A command that writes to the file named by an option. */
const outputOption =
  (...options: string[]): CommandRule =>
  ({ name, args }, analysis) => {
    for (const value of optionValues(parseOptions(args, options), ...options)) noteWrite(analysis, value, name)
  }

const split: CommandRule = ({ args }, analysis) => {
  const words = parseOptions(args, ['b', 'l', 'n', 'a', 'C', 'bytes', 'lines', 'number', 'suffix-length'])
  noteWrite(analysis, [...(words.operands[1] ?? ['x']), null], 'split')
}

const uniq: CommandRule = ({ args }, analysis) => {
  const target = parseOptions(args, ['f', 's', 'w']).operands[1]
  if (target) noteWrite(analysis, target, 'uniq')
}

/** gzip and similar commands replace a file with its compressed or decompressed form. */
const compress: CommandRule = ({ name, args, argsFromInput }, analysis) => {
  const words = parseOptions(args, ['S', 'suffix'])
  if (hasOption(words, 'c', 't', 'l', 'stdout', 'to-stdout', 'test', 'list')) return
  if (words.operands.length === 0 && !argsFromInput) return
  analysis.findings.writes = true
  const keeps = hasOption(words, 'k', 'keep') && !hasOption(words, 'f', 'force')
  if (!keeps) analysis.findings.actions.add(`${name} replaces ${words.operands.map(displayWord).join(' ')}`)
}

const tar: CommandRule = ({ args }, analysis) => {
  const [first = [], ...rest] = args
  // The old syntax has no hyphen: tar xzf a.tgz.
  const given = /^[a-zA-Z]+$/.test(wordText(first) ?? '') ? [[`-${wordText(first)}`], ...rest] : args
  const words = parseOptions(given, [
    'f',
    'C',
    'T',
    'X',
    'I',
    'file',
    'directory',
    'use-compress-program',
    'to-command',
  ])
  if (hasOption(words, 'I', 'use-compress-program', 'to-command', 'checkpoint-action'))
    noteUnknown(analysis, 'what tar runs')
  if (hasOption(words, 'remove-files', 'delete', 'recursive-unlink')) analysis.findings.actions.add('tar removes files')
  if (hasOption(words, 'c', 'create'))
    for (const file of optionValues(words, 'f', 'file')) noteWrite(analysis, file, 'tar')
  if (!hasOption(words, 'x', 'extract', 'get')) return
  if (hasOption(words, 'O', 'to-stdout')) return
  analysis.findings.writes = true
  const archives = optionValues(words, 'f', 'file').map(wordText)
  const isArchive = (at: string) => archives.some((name) => name !== null && at.endsWith(name))
  const hasOthers = analysis.context.files.some((at) => !isArchive(at))
  const keeps = hasOption(words, 'k', 'keep-old-files', 'skip-old-files')
  if (!keeps && hasOthers) noteUnknown(analysis, 'which files tar overwrites')
}

/** Commands that create, move, compress or remove files. */
export const FILE_RULES: Record<string, CommandRule> = {
  ...Object.fromEntries(['rm', 'rmdir', 'unlink', 'shred', 'truncate', 'dd', 'srm', 'wipe'].map((n) => [n, remove])),
  mv: copyOrMove,
  cp: copyOrMove,
  install: copyOrMove,
  ln: link,
  tee,
  sort: outputOption('o', 'output'),
  tree: outputOption('o'),
  xan: outputOption('o', 'output'),
  split,
  uniq,
  gzip: compress,
  gunzip: compress,
  tar,
}

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
import { folderHasContent, mayOverwrite, pathMatcherFor, possiblePaths } from './script-context'
import { displayWord, type ScriptWord, wordText } from './word'

const removes: CommandRule = ({ name, args }, { found }) => {
  found.acts.add(
    `${name} removes or wipes ${args.length > 0 ? args.map(displayWord).join(' ').slice(0, 200) : 'what it is given'}`,
  )
}

/** What stands at the end of a copy or move, and what is brought there. */
function moved({ args }: CommandCall): { sources: readonly ScriptWord[]; to: ScriptWord | undefined; asFile: boolean } {
  const words = parseOptions(args, ['t', 'target-directory', 'S', 'suffix'])
  const [folder] = optionValues(words, 't', 'target-directory')
  if (folder) return { sources: words.operands, to: folder, asFile: false }
  const asFile = hasOption(words, 'T', 'no-target-directory')
  return { sources: words.operands.slice(0, -1), to: words.operands.at(-1), asFile }
}

/** True when something of the same name as what a word means, or may mean, is in a folder already. */
function arrives(reading: ScriptAnalysis, source: ScriptWord, folder: string): boolean {
  const { world } = reading
  const isThere = (name: string) => world.kindOf(path.posix.join(folder, name)) !== null
  const text = wordText(source)
  // A folder's content: any of what is there may be meant.
  if (text !== null && /(^|\/)\.{0,2}$/.test(text)) return folderHasContent(world, folder)
  if (text !== null) return isThere(path.posix.basename(text))
  if (!countLookup(reading)) return true
  // Files that fit, or the folders they lie in.
  return world.files.filter(pathMatcherFor(world, source)).some((at) => at.split('/').slice(1).some(isThere))
}

/** True when bringing things to a place may put an end to what is there: the file itself, or what a folder holds. */
function covers(reading: ScriptAnalysis, sources: readonly ScriptWord[], to: ScriptWord, asFile: boolean): boolean {
  const { world } = reading
  const text = wordText(to)
  const places = text === null ? null : possiblePaths(world, text)
  if (mayOverwrite(world, to)) return true
  if (!places) return world.files.length > 0
  return places.some((at) => {
    if (world.kindOf(at) !== 'folder') return false
    if (asFile) return folderHasContent(world, at)
    return sources.some((source) => arrives(reading, source, at))
  })
}

const brings: CommandRule = (call, reading) => {
  const { sources, to, asFile } = moved(call)
  reading.found.writes = true
  if (call.isFed || !to) {
    if (call.isFed) noteUnknown(reading, `what ${call.name} writes to`)
    return
  }
  const text = wordText(to)
  const keeps = hasOption(parseOptions(call.args), 'n', 'no-clobber')
  if (call.name === 'mv' && text !== null && isSystemPath(path.posix.resolve('/', text)) && text.startsWith('/')) {
    reading.found.acts.add(`mv takes ${sources.map(displayWord).join(' ')} out of the pod`)
  } else if (!keeps && countLookup(reading) && covers(reading, sources, to, asFile)) {
    reading.found.acts.add(`${call.name} may overwrite ${displayWord(to)}`)
  }
}

const links: CommandRule = (call, reading) => {
  reading.found.writes = true
  if (hasOption(parseOptions(call.args), 'f', 'force')) brings(call, reading)
}

const tees: CommandRule = (call, reading) => {
  const words = parseOptions(call.args)
  reading.found.writes = true
  if (hasOption(words, 'a', 'append')) return
  if (call.isFed) noteUnknown(reading, 'what tee writes to')
  for (const operand of words.operands) noteWrite(reading, operand, 'tee')
}

/** Commands that write to the value of an option. */
const writesTo =
  (...options: string[]): CommandRule =>
  ({ name, args }, reading) => {
    for (const value of optionValues(parseOptions(args, options), ...options)) noteWrite(reading, value, name)
  }

const splits: CommandRule = ({ args }, reading) => {
  const words = parseOptions(args, ['b', 'l', 'n', 'a', 'C', 'bytes', 'lines', 'number', 'suffix-length'])
  noteWrite(reading, [...(words.operands[1] ?? ['x']), null], 'split')
}

const uniq: CommandRule = ({ args }, reading) => {
  const target = parseOptions(args, ['f', 's', 'w']).operands[1]
  if (target) noteWrite(reading, target, 'uniq')
}

/** gzip and its like put a packed file in the place of the plain one. */
const packs: CommandRule = ({ name, args, isFed }, reading) => {
  const words = parseOptions(args, ['S', 'suffix'])
  if (hasOption(words, 'c', 't', 'l', 'stdout', 'to-stdout', 'test', 'list')) return
  if (words.operands.length === 0 && !isFed) return
  reading.found.writes = true
  const keeps = hasOption(words, 'k', 'keep') && !hasOption(words, 'f', 'force')
  if (!keeps)
    reading.found.acts.add(`${name} puts another file in the place of ${words.operands.map(displayWord).join(' ')}`)
}

const tar: CommandRule = ({ args }, reading) => {
  const [first = [], ...rest] = args
  // The old style has no hyphen: tar xzf a.tgz.
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
    noteUnknown(reading, 'what tar runs')
  if (hasOption(words, 'remove-files', 'delete', 'recursive-unlink')) reading.found.acts.add('tar removes files')
  if (hasOption(words, 'c', 'create'))
    for (const file of optionValues(words, 'f', 'file')) noteWrite(reading, file, 'tar')
  if (!hasOption(words, 'x', 'extract', 'get')) return
  if (hasOption(words, 'O', 'to-stdout')) return
  reading.found.writes = true
  const archives = optionValues(words, 'f', 'file').map(wordText)
  const isArchive = (at: string) => archives.some((name) => name !== null && at.endsWith(name))
  const hasOthers = reading.world.files.some((at) => !isArchive(at))
  const keeps = hasOption(words, 'k', 'keep-old-files', 'skip-old-files')
  if (!keeps && hasOthers) noteUnknown(reading, 'which files tar overwrites with those of the archive')
}

/** Commands that make, move, pack or remove files. */
export const FILE_RULES: Record<string, CommandRule> = {
  ...Object.fromEntries(['rm', 'rmdir', 'unlink', 'shred', 'truncate', 'dd', 'srm', 'wipe'].map((n) => [n, removes])),
  mv: brings,
  cp: brings,
  install: brings,
  ln: links,
  tee: tees,
  sort: writesTo('o', 'output'),
  tree: writesTo('o'),
  xan: writesTo('o', 'output'),
  split: splits,
  uniq,
  gzip: packs,
  gunzip: packs,
  tar,
}

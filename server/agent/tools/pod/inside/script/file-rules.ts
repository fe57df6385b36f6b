import path from 'node:path'
import { isSystemPath } from '../../driver'
import { hasOption, valuesOf, wordsOf } from './options'
import { type Call, cannotTell, mayLook, noteWrite, type Reading, type Rule } from './reading'
import { type Arg, shown, textOf } from './word'
import { hasContent, mayOverwrite, patternOf, placesOf } from './world'

const removes: Rule = ({ name, args }, { found }) => {
  found.acts.add(
    `${name} removes or wipes ${args.length > 0 ? args.map(shown).join(' ').slice(0, 200) : 'what it is given'}`,
  )
}

/** What stands at the end of a copy or move, and what is brought there. */
function moved({ args }: Call): { sources: readonly Arg[]; to: Arg | undefined; asFile: boolean } {
  const words = wordsOf(args, ['t', 'target-directory', 'S', 'suffix'])
  const [folder] = valuesOf(words, 't', 'target-directory')
  if (folder) return { sources: words.operands, to: folder, asFile: false }
  const asFile = hasOption(words, 'T', 'no-target-directory')
  return { sources: words.operands.slice(0, -1), to: words.operands.at(-1), asFile }
}

/** True when something of the same name as what a word means, or may mean, is in a folder already. */
function arrives(reading: Reading, source: Arg, folder: string): boolean {
  const { world } = reading
  const isThere = (name: string) => world.kindOf(path.posix.join(folder, name)) !== null
  const text = textOf(source)
  // A folder's content: any of what is there may be meant.
  if (text !== null && /(^|\/)\.{0,2}$/.test(text)) return hasContent(world, folder)
  if (text !== null) return isThere(path.posix.basename(text))
  if (!mayLook(reading)) return true
  // Files that fit, or the folders they lie in.
  return world.files.filter(patternOf(world, source)).some((at) => at.split('/').slice(1).some(isThere))
}

/** True when bringing things to a place may put an end to what is there: the file itself, or what a folder holds. */
function covers(reading: Reading, sources: readonly Arg[], to: Arg, asFile: boolean): boolean {
  const { world } = reading
  const text = textOf(to)
  const places = text === null ? null : placesOf(world, text)
  if (mayOverwrite(world, to)) return true
  if (!places) return world.files.length > 0
  return places.some((at) => {
    if (world.kindOf(at) !== 'folder') return false
    if (asFile) return hasContent(world, at)
    return sources.some((source) => arrives(reading, source, at))
  })
}

const brings: Rule = (call, reading) => {
  const { sources, to, asFile } = moved(call)
  reading.found.writes = true
  if (call.isFed || !to) {
    if (call.isFed) cannotTell(reading, `what ${call.name} writes to`)
    return
  }
  const text = textOf(to)
  const keeps = hasOption(wordsOf(call.args), 'n', 'no-clobber')
  if (call.name === 'mv' && text !== null && isSystemPath(path.posix.resolve('/', text)) && text.startsWith('/')) {
    reading.found.acts.add(`mv takes ${sources.map(shown).join(' ')} out of the pod`)
  } else if (!keeps && mayLook(reading) && covers(reading, sources, to, asFile)) {
    reading.found.acts.add(`${call.name} may overwrite ${shown(to)}`)
  }
}

const links: Rule = (call, reading) => {
  reading.found.writes = true
  if (hasOption(wordsOf(call.args), 'f', 'force')) brings(call, reading)
}

const tees: Rule = (call, reading) => {
  const words = wordsOf(call.args)
  reading.found.writes = true
  if (hasOption(words, 'a', 'append')) return
  if (call.isFed) cannotTell(reading, 'what tee writes to')
  for (const operand of words.operands) noteWrite(reading, operand, 'tee')
}

/** Commands that write to the value of an option. */
const writesTo =
  (...options: string[]): Rule =>
  ({ name, args }, reading) => {
    for (const value of valuesOf(wordsOf(args, options), ...options)) noteWrite(reading, value, name)
  }

const splits: Rule = ({ args }, reading) => {
  const words = wordsOf(args, ['b', 'l', 'n', 'a', 'C', 'bytes', 'lines', 'number', 'suffix-length'])
  noteWrite(reading, [...(words.operands[1] ?? ['x']), null], 'split')
}

const uniq: Rule = ({ args }, reading) => {
  const target = wordsOf(args, ['f', 's', 'w']).operands[1]
  if (target) noteWrite(reading, target, 'uniq')
}

/** gzip and its like put a packed file in the place of the plain one. */
const packs: Rule = ({ name, args, isFed }, reading) => {
  const words = wordsOf(args, ['S', 'suffix'])
  if (hasOption(words, 'c', 't', 'l', 'stdout', 'to-stdout', 'test', 'list')) return
  if (words.operands.length === 0 && !isFed) return
  reading.found.writes = true
  const keeps = hasOption(words, 'k', 'keep') && !hasOption(words, 'f', 'force')
  if (!keeps) reading.found.acts.add(`${name} puts another file in the place of ${words.operands.map(shown).join(' ')}`)
}

const tar: Rule = ({ args }, reading) => {
  const [first = [], ...rest] = args
  // The old style has no hyphen: tar xzf a.tgz.
  const given = /^[a-zA-Z]+$/.test(textOf(first) ?? '') ? [[`-${textOf(first)}`], ...rest] : args
  const words = wordsOf(given, ['f', 'C', 'T', 'X', 'I', 'file', 'directory', 'use-compress-program', 'to-command'])
  if (hasOption(words, 'I', 'use-compress-program', 'to-command', 'checkpoint-action'))
    cannotTell(reading, 'what tar runs')
  if (hasOption(words, 'remove-files', 'delete', 'recursive-unlink')) reading.found.acts.add('tar removes files')
  if (hasOption(words, 'c', 'create')) for (const file of valuesOf(words, 'f', 'file')) noteWrite(reading, file, 'tar')
  if (!hasOption(words, 'x', 'extract', 'get')) return
  if (hasOption(words, 'O', 'to-stdout')) return
  reading.found.writes = true
  const archives = valuesOf(words, 'f', 'file').map(textOf)
  const isArchive = (at: string) => archives.some((name) => name !== null && at.endsWith(name))
  const hasOthers = reading.world.files.some((at) => !isArchive(at))
  const keeps = hasOption(words, 'k', 'keep-old-files', 'skip-old-files')
  if (!keeps && hasOthers) cannotTell(reading, 'which files tar overwrites with those of the archive')
}

/** Commands that make, move, pack or remove files. */
export const FILE_RULES: Record<string, Rule> = {
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

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { SOURCE_ROOT } from '../support/source-imports'
import { ALLOWED_WORDS, BANNED_WORDS } from './word-list'

const FOLDERS = ['.', 'app', 'components', 'docs', 'prisma', 'server', 'tests']
const TEXT_FILES = /\.(tsx?|mjs|md|sql|prisma|css|ya?ml|json|example)$/
const CODE_FILES = /\.(tsx?|mjs|sql|prisma)$/

/** Generated files, applied migrations, which cannot be edited, and the list itself. */
const IGNORED = /^(package-lock\.json|next-env\.d\.ts|prisma\/(generated|migrations)\/|tests\/architecture\/word)/

const MAX_COMMENT_WIDTH = 100
const COMMENT = /^\s*(\/\/|\/\*|\*|\{\/\*|--)/
/** Directives, type definitions and long URLs cannot be wrapped. */
const UNWRAPPABLE = /biome-ignore|@typedef|https?:\/\/\S{40}/

type Line = { file: string; number: number; text: string }

const files = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(SOURCE_ROOT, folder), { recursive: folder !== '.', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(SOURCE_ROOT, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter((file) => TEXT_FILES.test(file) && !IGNORED.test(file)),
)

const lines: Line[] = files.flatMap((file) =>
  readFileSync(path.join(SOURCE_ROOT, file), 'utf8')
    .split('\n')
    .map((text, at) => ({ file, number: at + 1, text })),
)

/** A line as lower-case words: identifiers are split at capitals, underscores and hyphens. */
const asProse = (text: string): string =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/[_-]/g, ' ')
    .toLowerCase()

const isAllowed = (file: string, word: string): boolean =>
  ALLOWED_WORDS.some((allowed) => allowed.files.test(file) && allowed.word.test(word))

/** Every banned word in the project, with its place. */
function bannedWords(): { file: string; word: string; complaint: string }[] {
  return lines.flatMap(({ file, number, text }) => {
    const words = asProse(text)
    return BANNED_WORDS.flatMap(({ pattern, match, say }) => {
      const word = pattern.exec(match === 'prose' ? words : text)?.[0]
      return word ? [{ file, word, complaint: `${file}:${number}: “${word}”. Write: ${say}` }] : []
    })
  })
}

describe('the words of the project', () => {
  const found = bannedWords()

  test('are the standard terms', () => {
    const complaints = found.filter(({ file, word }) => !isAllowed(file, word))
    expect(complaints.map(({ complaint }) => complaint)).toEqual([])
  })

  test('are allowed as exceptions only where they are needed', () => {
    const unused = ALLOWED_WORDS.filter(
      (allowed) => !found.some(({ file, word }) => allowed.files.test(file) && allowed.word.test(word)),
    )
    expect(unused).toEqual([])
  })
})

test('comments fit in 100 columns', () => {
  const wide = lines.filter(
    ({ file, text }) =>
      CODE_FILES.test(file) && text.length > MAX_COMMENT_WIDTH && COMMENT.test(text) && !UNWRAPPABLE.test(text),
  )
  expect(wide.map(({ file, number }) => `${file}:${number}`)).toEqual([])
})

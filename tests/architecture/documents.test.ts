import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { filesBelow, isTestFile, SOURCE_ROOT } from '../support/source-imports'

const FOLDERS = ['components', 'docs', 'prisma', 'server', 'tests']

/** Every document for people who change Tollgate; guides have tests of their own. */
const DOCUMENTS = [
  ...['CONTRIBUTING.md', 'README.md', 'SECURITY.md'],
  ...FOLDERS.flatMap((folder) =>
    readdirSync(path.join(SOURCE_ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/')))
      .filter((name) => name.endsWith('.md') && !/^docs\/guides\/|\/node_modules\//.test(name)),
  ),
]

/** Names of all source files, without their folders. */
const SOURCE_NAMES = new Set(filesBelow('app', 'server', 'components', 'tests').map((file) => path.basename(file)))

/** Without what runs leave behind, which is there or not. */
const ROOT_NAMES = readdirSync(SOURCE_ROOT).filter((name) => name !== '.data')

/** Paths in backticks that begin with a name in the repository's root. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`([\w.@()[\]/-]+)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => ROOT_NAMES.includes(name.split('/')[0] ?? '') || /^(server|tests|app|components)\//.test(name))

/** Links to files, relative to the document. */
const linksIn = (text: string): string[] =>
  [...text.matchAll(/\]\(((?!https?:|#)[^)#]+)/g)].map(([, target = '']) => target)

/** Source files in backticks that are named without their folder. */
const bareNamesIn = (text: string): string[] =>
  [...text.matchAll(/`([\w-]+\.(?:tsx?|mjs))`/g)].map(([, name = '']) => name)

/** The headings of a document as fragments of links to them. */
const fragmentsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )

const commandsIn = (text: string): string[] => [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)

describe.each(DOCUMENTS)('%s', (document) => {
  const text = readFileSync(path.join(SOURCE_ROOT, document), 'utf8')

  test('names files that exist', () => {
    const missing = pathsIn(text).filter((name) => !existsSync(path.join(SOURCE_ROOT, name)))
    expect(missing).toEqual([])
  })

  test('links to files that exist', () => {
    const folder = path.join(SOURCE_ROOT, path.dirname(document))
    expect(linksIn(text).filter((target) => !existsSync(path.join(folder, target)))).toEqual([])
  })

  test('names source files that exist, also where it leaves out their folder', () => {
    const own = path.join(SOURCE_ROOT, path.dirname(document))
    const isKnown = (name: string) => SOURCE_NAMES.has(name) || existsSync(path.join(SOURCE_ROOT, name))
    expect(bareNamesIn(text).filter((name) => !isKnown(name) && !existsSync(path.join(own, name)))).toEqual([])
  })

  test('links to sections that it has', () => {
    const targets = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, target = '']) => target)
    expect(targets.filter((target) => !fragmentsOf(text).includes(target))).toEqual([])
  })

  test('names npm scripts that exist', () => {
    expect(commandsIn(text).filter((name) => !(name in packageJson.scripts))).toEqual([])
  })
})

describe('CONTRIBUTING.md', () => {
  const text = readFileSync(path.join(SOURCE_ROOT, 'CONTRIBUTING.md'), 'utf8')

  test('is a page, and leads to every README beside code', () => {
    expect(text.split('\n').length).toBeLessThan(165)
    const beside = DOCUMENTS.filter((name) => /^(components|prisma|server)\/.*README\.md$/.test(name))
    expect(beside.length).toBeGreaterThan(10)
    expect(beside.filter((name) => !linksIn(text).includes(name))).toEqual([])
  })

  test('is right about small files: 95 of 100 have at most 160 lines', () => {
    const files = filesBelow('app', 'server', 'components').filter((file) => !isTestFile(file))
    const lengths = files.map((file) => readFileSync(path.join(SOURCE_ROOT, file), 'utf8').split('\n').length - 1)
    const longer = lengths.filter((length) => length > 160).length
    expect(longer / files.length).toBeLessThan(0.05)
  })
})

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { SOURCE_ROOT } from '../support/source-imports'

const DOCUMENTS = [
  'CONTRIBUTING.md',
  'README.md',
  'SECURITY.md',
  ...readdirSync(path.join(SOURCE_ROOT, 'docs/decisions')).map((name) => `docs/decisions/${name}`),
]

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

  test('names npm scripts that exist', () => {
    expect(commandsIn(text).filter((name) => !(name in packageJson.scripts))).toEqual([])
  })
})

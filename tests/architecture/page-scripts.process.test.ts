import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { SOURCE_ROOT } from '../support/source-imports'

const NEXT = path.join(SOURCE_ROOT, '.next')
const ISLANDS = path.join('static', 'islands')

/** Bytes of script that a page may load at first, as they are sent. */
const MOST = { public: 60_000, other: 185_000 }

/** What Next writes for a page: the scripts of each of its layouts and of itself. */
type Manifest = { entryJSFiles: Record<string, string[]> }

const readJson = (name: string): unknown => JSON.parse(readFileSync(path.join(NEXT, name), 'utf8'))

/** Bytes of a script as the listener sends it. */
const sentBytes = (name: string) => statSync(path.join(NEXT, `${name}.br`)).size

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

function requireBuild(): void {
  if (!existsSync(path.join(NEXT, ISLANDS))) throw new Error('Run npm run build first.')
}

/** The manifest that follows the last assignment of its file, which is JSON. */
function readManifest(name: string): Manifest {
  const text = readFileSync(path.join(NEXT, 'server', 'app', name), 'utf8')
  return JSON.parse(text.slice(text.indexOf('] = {') + '] = '.length).replace(/;\s*$/, '')) as Manifest
}

test('every page loads less script at first than it may', () => {
  requireBuild()
  const { rootMainFiles } = readJson('build-manifest.json') as { rootMainFiles: string[] }
  const pages = readdirSync(path.join(NEXT, 'server', 'app'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('page_client-reference-manifest.js'),
  )
  expect(pages.length).toBeGreaterThan(20)
  const sizes = pages.map((name) => {
    const scripts = new Set([...rootMainFiles, ...Object.values(readManifest(name).entryJSFiles).flat()])
    return { page: path.dirname(name), bytes: sum([...scripts].map(sentBytes)) }
  })
  expect(sizes.filter(({ bytes }) => bytes < 50_000 || bytes > MOST.other)).toEqual([])
})

test('browsers compile the scripts of pages while they arrive', () => {
  requireBuild()
  const folder = path.join(NEXT, 'static', 'chunks')
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const firstLineOf = (name: string) => readFileSync(path.join(folder, name), 'utf8').split('\n', 1)[0]
  expect(scripts.length).toBeGreaterThan(20)
  expect(scripts.filter((name) => firstLineOf(name) !== '//# allFunctionsCalledOnLoad')).toEqual([])
})

test('the public pages load one small script, without React and without anything of the server', () => {
  requireBuild()
  const names = readdirSync(path.join(NEXT, ISLANDS)).filter((name) => name.endsWith('.js'))
  expect(names.filter((name) => name.startsWith('islands-'))).toHaveLength(1)
  // With what is loaded later: the search.
  expect(sum(names.map((name) => sentBytes(path.join(ISLANDS, name))))).toBeLessThan(MOST.public)
  const text = names.map((name) => readFileSync(path.join(NEXT, ISLANDS, name), 'utf8')).join('\n')
  expect(
    ['react.dev/errors', '__next_f', 'PrismaClient', 'TRPCClientError'].filter((marker) => text.includes(marker)),
  ).toEqual([])
})

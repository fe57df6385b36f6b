import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { SOURCE_ROOT } from '../support/source-imports'

/** Texts of the server: of its SQL, of its database client, and of its handlers. */
const MARKERS = ['credits_batch', 'credits_settle', 'PrismaClient', 'tollgate_requests_total']

const bundle = path.join(SOURCE_ROOT, '.next', 'server')

test('what Next bundles contains nothing of the server, which exists once in a process', () => {
  if (!existsSync(bundle)) throw new Error('Run npm run build first.')
  const files = readdirSync(bundle, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  expect(files.length).toBeGreaterThan(20)
  const found = files.flatMap((name) => {
    const text = readFileSync(path.join(bundle, name), 'utf8')
    return MARKERS.filter((marker) => text.includes(marker)).map((marker) => `${name} contains ${marker}`)
  })
  expect(found).toEqual([])
  // Code that several processes run is in parts of its own.
  const dist = path.join(SOURCE_ROOT, 'dist')
  const scripts = readdirSync(dist).filter((name) => name.endsWith('.js'))
  const server = scripts.map((name) => readFileSync(path.join(dist, name), 'utf8')).join('\n')
  expect(MARKERS.filter((marker) => !server.includes(marker))).toEqual([])
})

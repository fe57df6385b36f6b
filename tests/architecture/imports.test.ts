import { describe, expect, test } from 'vitest'
import { filesBelow, isTestFile, readSourceFile, type SourceFile, type SourceImport } from '../support/source-imports'

/** Each name may import only names to its left. */
const LINE = [
  'kit',
  'env',
  'errors',
  'db',
  'credits',
  'accounts',
  'keys',
  'files',
  'sites',
  'models',
  'tools',
  'chat',
  'agent-tools',
  'agent',
  'catalog',
  'api',
  'http',
]

/** What a door may import besides doors. */
const OPEN_TO_DOORS = ['kit', 'env', 'errors', 'api']

/** What stands outside: it may import anything, and nothing imports it. */
const OUTSIDE = ['sandbox', 'cli']

const sources: SourceFile[] = filesBelow('server', 'app', 'components').map((file) => readSourceFile(file))
const house = sources.filter(({ file }) => !isTestFile(file))

/** The module of a file under server/. */
const roomOf = (file: string): string | null => file.match(/^server\/([\w-]+)/)?.[1] ?? null

const isShape = (file: string) => /^server\/[\w-]+\/shape$/.test(file)

/** What the imports of some files break, as lines to read. */
const broken = (
  from: (file: string) => boolean,
  allowed: (i: SourceImport & { file: string }, file: string) => boolean,
): string[] =>
  house
    .filter(({ file }) => from(file))
    .flatMap(({ file, imports }) =>
      imports
        .filter(
          (i): i is SourceImport & { file: string } =>
            i.file !== null && !allowed(i as SourceImport & { file: string }, file),
        )
        .map((i) => `${file} imports ${i.file}`),
    )

const inRooms = (file: string) => LINE.includes(roomOf(file) ?? '')

describe('the line of rooms', () => {
  test('names every room there is', () => {
    const rooms = new Set(house.map(({ file }) => roomOf(file)).filter((room) => room !== null))
    expect([...rooms].filter((room) => !LINE.includes(room) && !OUTSIDE.includes(room))).toEqual([])
  })

  test('is kept: a room imports itself and what stands left of it, and the generated client', () => {
    const isLeft = (other: string | null, own: string | null) =>
      LINE.indexOf(other ?? '') <= LINE.indexOf(own ?? '') && LINE.includes(other ?? '')
    expect(
      broken(inRooms, (i, file) => i.file.startsWith('prisma/generated/') || isLeft(roomOf(i.file), roomOf(file))),
    ).toEqual([])
  })

  test('is walked by relative imports inside server/', () => {
    const aliased = house
      .filter(({ file }) => file.startsWith('server/'))
      .flatMap(({ file, imports }) => imports.filter((i) => i.from.startsWith('@/')).map((i) => `${file}: ${i.from}`))
    expect(aliased).toEqual([])
  })

  test('credits imports no room', () => {
    expect(
      broken(
        (f) => roomOf(f) === 'credits',
        (i) => i.file.startsWith('prisma/') || ['kit', 'env', 'errors', 'db', 'credits'].includes(roomOf(i.file) ?? ''),
      ),
    ).toEqual([])
  })
})

describe('doors', () => {
  test('import only kit, env, errors, api and shapes', () => {
    expect(
      broken(
        (f) => roomOf(f) === 'http',
        (i) => [...OPEN_TO_DOORS, 'http'].includes(roomOf(i.file) ?? '') || isShape(i.file),
      ),
    ).toEqual([])
  })
})

describe('tool groups', () => {
  const groupOf = (file: string) => file.match(/^server\/tools\/(\w+)\//)?.[1]

  test('do not import one another, nor the registry', () => {
    const inGroup = (f: string) => roomOf(f) === 'tools' && groupOf(f) !== undefined
    const mine = (i: { file: string }, file: string) =>
      groupOf(i.file) === undefined || groupOf(i.file) === groupOf(file)
    expect(
      broken(
        inGroup,
        (i, file) => mine(i, file) && i.file !== 'server/tools/registry' && i.file !== 'server/tools/call',
      ),
    ).toEqual([])
  })

  test('are known to the registry and the list of settings alone', () => {
    const listing = ['server/tools/registry.ts', 'server/tools/settings.ts']
    const kernel = (f: string) => roomOf(f) === 'tools' && groupOf(f) === undefined && !listing.includes(f)
    expect(
      broken(
        kernel,
        (i) =>
          !/^server\/tools\/\w+(\/|$)/.test(i.file) ||
          groupOf(`${i.file}/`) === undefined ||
          !/^server\/tools\/\w+\/\w/.test(i.file),
      ),
    ).toEqual([])
  })
})

describe('components', () => {
  test('import components, the router’s type and shapes', () => {
    const allowed = (i: SourceImport & { file: string }) =>
      i.file.startsWith('components/') || isShape(i.file) || (i.isType && i.file === 'server/api/router')
    expect(broken((f) => f.startsWith('components/'), allowed)).toEqual([])
  })

  test('run in a browser: nothing of Node', () => {
    const node = house
      .filter(({ file }) => file.startsWith('components/'))
      .flatMap(({ file, imports }) =>
        imports.filter((i) => /^node:|^(pg)$/.test(i.from)).map((i) => `${file}: ${i.from}`),
      )
    expect(node).toEqual([])
  })
})

describe('app', () => {
  test('imports types and shapes of the server: what it imports more than that exists twice', () => {
    const allowed = (i: SourceImport & { file: string }) =>
      /^(app|components)\//.test(i.file) || isShape(i.file) || (i.isType && i.file.startsWith('server/'))
    expect(broken((f) => f.startsWith('app/'), allowed)).toEqual([])
  })

  test('reaches the server through app/server.ts, route files through nothing else', () => {
    const routes = house.filter(({ file }) => /^app\/.*route\.ts$/.test(file))
    expect(routes.length).toBeGreaterThan(5)
    for (const { file, imports } of routes)
      expect(
        imports.map((i) => i.file),
        file,
      ).toEqual(['app/server'])
  })

  test('shapes import nothing but zod and types', () => {
    const shapes = house.filter(({ file }) => isShape(file.replace(/\.ts$/, '')))
    expect(shapes.length).toBeGreaterThan(4)
    for (const { file, imports } of shapes) {
      const values = imports.filter((i) => !i.isType && i.from !== 'zod')
      expect(
        values.map((i) => i.from),
        file,
      ).toEqual([])
    }
  })
})

describe('what stands outside', () => {
  test('is imported by nothing in the house', () => {
    const inside = (f: string) => !OUTSIDE.includes(roomOf(f) ?? '')
    expect(broken(inside, (i) => !OUTSIDE.includes(roomOf(i.file) ?? '') && !i.file.startsWith('tests/'))).toEqual([])
  })
})

describe('everywhere', () => {
  test('the environment is read in server/env.ts and the command line only', () => {
    const readers = house.filter((s) => s.readsProcessEnv).map((s) => s.file)
    expect(readers.filter((file) => file !== 'server/env.ts' && !file.startsWith('server/cli/'))).toEqual([])
    expect(readers).toContain('server/env.ts')
  })

  test('there are no barrels: an import names the file that does the work', () => {
    // Next asks for exports of its own in app/; a type may be passed on to whom its room is closed.
    const ours = house.filter(({ file }) => !file.startsWith('app/'))
    const barrels = ours.flatMap(({ file, imports }) =>
      imports.filter((i) => i.isReExport && !i.isType).map((i) => `${file} passes on ${i.from}`),
    )
    expect(barrels).toEqual([])
  })

  test('every import leads to a file that is there', () => {
    const known = new Set(filesBelow('server', 'app', 'components', 'tests').map((f) => f.replace(/\.(tsx?|mjs)$/, '')))
    const lost = sources.flatMap(({ file, imports }) =>
      imports.flatMap((i) => {
        const at = i.file
        if (at === null || at.startsWith('prisma/') || /\.(css|json|d)$/.test(at)) return []
        return known.has(at) || known.has(`${at}/index`) ? [] : [`${file} imports ${at}`]
      }),
    )
    expect(lost).toEqual([])
  })
})

describe('the reader of imports', () => {
  test('sees every way to import, and no text that only looks like one', () => {
    const { imports, readsProcessEnv } = readSourceFile(
      'server/x/y.ts',
      `import type { A } from './a'; import { type B } from "../b"; import c, { type D } from '@/components/c'; import './e'
       export * from './f'; export { g } from './g'; const h = await import('./h'); let i: import('./i').I
       // import './no1'
       const no = "import './no2'"; import z from 'zod'; const p = process['env'].X`,
    )
    expect(imports.map((i) => [i.file, i.isType, i.isReExport])).toEqual([
      ['server/x/a', true, false],
      ['server/b', true, false],
      ['components/c', false, false],
      ['server/x/e', false, false],
      [null, false, false],
      ['server/x/f', false, true],
      ['server/x/g', false, true],
      ['server/x/h', false, false],
      ['server/x/i', true, false],
    ])
    expect(readsProcessEnv).toBe(true)
    expect(readSourceFile('server/x/y.ts', 'const process = 1; log("process.env")').readsProcessEnv).toBe(false)
  })
})

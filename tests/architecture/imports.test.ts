import { describe, expect, test } from 'vitest'
import { filesBelow, isTestFile, readSourceFile, type SourceFile, type SourceImport } from '../support/source-imports'

/** Each module may import itself and the modules to its left. */
const ORDER = [
  ...['kit', 'env', 'errors', 'db', 'credits', 'accounts', 'request-log', 'keys', 'oauth', 'files', 'sites', 'models'],
  ...['tools', 'chat'],
  ...['agent-tools', 'agent', 'notices', 'owner-data', 'operators', 'catalog', 'guides', 'api', 'http'],
]

/** These may import anything; nothing imports them. */
const OUTSIDE = ['sandbox', 'cli']

/** Any folder of its parent that is not named. */
const OTHERS = '*'

/** The files that are in the parent itself. */
const ITSELF = '.'

/**
 * The folders below some parents: a folder imports itself and folders to its left, besides what
 * the parent may import.
 */
const FOLDER_ORDERS: Record<string, readonly string[]> = {
  'server/cli': [
    ...['setup', 'kit', 'migrations', 'embedded', 'backup', 'watchdog', 'tracing', 'generated', 'new-tool', 'capacity'],
    ...['sdk', 'doctor', 'admin', 'live-setup', 'web', 'cluster', ITSELF],
  ],
  'server/models': [ITSELF, 'abilities', 'wires', 'upstream', 'embeddings', 'listing'],
  'server/sandbox': [
    ...['kit', 'ids', 'prose', 'pages', 'social', 'media', 'script', 'talk', 'player', 'openai', OTHERS, 'models'],
    ITSELF,
  ],
}

const sources: SourceFile[] = filesBelow('server', 'app', 'components')
  .filter((file) => !isTestFile(file))
  .map((file) => readSourceFile(file))

type LocalImport = SourceImport & { file: string }

/** The module of a file below server/; null for any other file. */
const moduleOf = (file: string): string | null => file.match(/^server\/([\w-]+)/)?.[1] ?? null

const positionOf = (file: string): number => ORDER.indexOf(moduleOf(file) ?? '')

const isShape = (file: string) => /^server\/[\w-]+\/shape$/.test(file)

const isGenerated = (file: string) => file.startsWith('prisma/generated/')

/** The imports of some files that are not allowed, as lines to read. */
function forbidden(of: (file: string) => boolean, isAllowed: (i: LocalImport, file: string) => boolean): string[] {
  const isLocal = (i: SourceImport): i is LocalImport => i.file !== null
  return sources
    .filter(({ file }) => of(file))
    .flatMap(({ file, imports }) =>
      imports
        .filter(isLocal)
        .filter((i) => !isAllowed(i, file))
        .map((i) => `${file} imports ${i.file}`),
    )
}

describe('the order of modules', () => {
  test('names every module', () => {
    const modules = new Set(sources.map(({ file }) => moduleOf(file)).filter((name) => name !== null))
    expect([...modules].filter((name) => !ORDER.includes(name) && !OUTSIDE.includes(name))).toEqual([])
  })

  test('is kept: a module imports itself, modules to its left and the generated client', () => {
    const isLeft = (imported: string, importer: string) =>
      positionOf(imported) >= 0 && positionOf(imported) <= positionOf(importer)
    expect(
      forbidden(
        (file) => positionOf(file) >= 0,
        (i, file) => isGenerated(i.file) || isLeft(i.file, file),
      ),
    ).toEqual([])
  })

  test('has two names outside, which nothing imports', () => {
    const isOutside = (file: string) => OUTSIDE.includes(moduleOf(file) ?? '')
    expect(
      forbidden(
        (file) => !isOutside(file),
        (i) => !isOutside(i.file) && !i.file.startsWith('tests/'),
      ),
    ).toEqual([])
  })
})

describe.each(Object.entries(FOLDER_ORDERS))('the order of the folders of %s', (parent, order) => {
  /** The folder of a file below the parent; null for a file elsewhere. */
  const folderOf = (file: string): string | null => {
    if (!file.startsWith(`${parent}/`)) return null
    const [folder = '', inside] = file.slice(parent.length + 1).split('/')
    return inside === undefined ? ITSELF : folder
  }
  const placeOf = (folder: string): number => order.indexOf(order.includes(folder) ? folder : OTHERS)

  test('names every folder, and none that is gone', () => {
    const folders = new Set(sources.map(({ file }) => folderOf(file)).filter((folder) => folder !== null))
    expect([...folders].filter((folder) => placeOf(folder) < 0)).toEqual([])
    expect(order.filter((folder) => folder !== OTHERS && !folders.has(folder))).toEqual([])
  })

  test('is kept: a folder imports itself and folders to its left', () => {
    const isLeft = (imported: string, importer: string) => {
      const [from, to] = [folderOf(imported), folderOf(importer)]
      return from === null || to === null || from === to || placeOf(from) < placeOf(to)
    }
    expect(
      forbidden(
        (file) => folderOf(file) !== null,
        (i, file) => isLeft(i.file, file),
      ),
    ).toEqual([])
  })
})

describe('HTTP handlers', () => {
  const isHandler = (file: string) => moduleOf(file) === 'http'

  test('never reach a module: they import kit, env, errors, api and shapes', () => {
    const allowed = ['kit', 'env', 'errors', 'api', 'http']
    expect(forbidden(isHandler, (i) => allowed.includes(moduleOf(i.file) ?? '') || isShape(i.file))).toEqual([])
  })

  test('call procedures through procedure.ts; only it and the tRPC handler know the router', () => {
    const know = ['server/http/procedure.ts', 'server/http/trpc.ts']
    expect(
      forbidden(
        (file) => isHandler(file) && !know.includes(file),
        (i) => i.file !== 'server/api/router',
      ),
    ).toEqual([])
  })
})

describe('billed calls', () => {
  const isApi = (file: string) => moduleOf(file) === 'api'
  const onlyFrom = (part: string, files: readonly string[]) =>
    forbidden(
      (file) => positionOf(file) >= 0 && !files.includes(file),
      (i) => i.isType || i.file !== part,
    )

  test('reach a model or a tool from what runs once the credits are held', () => {
    const runs = ['server/chat/complete.ts', 'server/chat/embed.ts', 'server/agent/run/call-model.ts']
    // Operators try a model with the first; the second runs inside of a tool.
    const others = ['server/models/check.ts', 'server/tools/media/chat-images.ts', 'server/models/embeddings/call.ts']
    expect(onlyFrom('server/models/upstream/call', [...runs, ...others])).toEqual([])
    expect(onlyFrom('server/models/embeddings/call', [...runs, ...others])).toEqual([])
    expect(onlyFrom('server/tools/run', ['server/tools/call.ts', 'server/tools/finalize.ts'])).toEqual([])
  })

  test('are checked without the ledger and the database, which a check may be asked again by', () => {
    const checks = ['server/tools/call.ts', 'server/tools/price.ts', 'server/chat/plan.ts', 'server/chat/complete.ts']
    const effects = ['reserve', 'settle', 'perform', 'ledger-batch', 'grant'].map((name) => `server/credits/${name}`)
    const banned = ['server/db', ...effects]
    const found = forbidden(
      (file) => [...checks, 'server/chat/embed.ts'].includes(file),
      (i) => i.isType || !banned.includes(i.file),
    )
    expect(found).toEqual([])
  })

  test('take the four stages wherever they come in: only they settle, and a plan is made for them', () => {
    const isStage = (file: string) => file === 'server/api/billed.ts'
    const stages = ['server/credits/perform', 'server/credits/settle']
    expect(
      forbidden(
        (file) => isApi(file) && !isStage(file),
        (i) => i.isType || !stages.includes(i.file),
      ),
    ).toEqual([])
    const plans = ['server/tools/call', 'server/chat/complete', 'server/chat/embed']
    const plansIn = ({ file, imports }: SourceFile) =>
      isApi(file) && imports.some((i) => !i.isType && plans.includes(i.file ?? ''))
    const withoutStages = sources.filter(
      (source) => plansIn(source) && !source.imports.some((i) => i.file === 'server/api/billed'),
    )
    expect(sources.filter(plansIn).length).toBeGreaterThan(5)
    expect(withoutStages.map(({ file }) => file)).toEqual([])
  })
})

describe('tool groups', () => {
  const groupOf = (file: string) => file.match(/^server\/tools\/([\w-]+)\//)?.[1]

  test('import neither one another nor what knows all groups', () => {
    const knowAll = ['server/tools/registry', 'server/tools/settings', 'server/tools/call']
    const isOther = (file: string, own: string) => groupOf(file) !== undefined && groupOf(file) !== groupOf(own)
    expect(
      forbidden(
        (file) => groupOf(file) !== undefined,
        (i, file) => !isOther(i.file, file) && !knowAll.includes(i.file),
      ),
    ).toEqual([])
  })

  test('are known to the registry and the list of settings only', () => {
    const lists = ['server/tools/registry.ts', 'server/tools/settings.ts']
    const isShared = (file: string) =>
      moduleOf(file) === 'tools' && groupOf(file) === undefined && !lists.includes(file)
    expect(forbidden(isShared, (i) => groupOf(i.file) === undefined)).toEqual([])
  })
})

describe('components', () => {
  const isComponent = (file: string) => file.startsWith('components/')

  test('import components, the type of the router, and shapes', () => {
    const isAllowed = (i: LocalImport) =>
      isComponent(i.file) || isShape(i.file) || (i.isType && i.file === 'server/api/router')
    expect(forbidden(isComponent, isAllowed)).toEqual([])
  })

  test('run in a browser: they import nothing of Node', () => {
    const isNode = ({ from }: SourceImport) => /^node:|^pg$/.test(from)
    const lines = sources
      .filter(({ file }) => isComponent(file))
      .flatMap(({ file, imports }) => imports.filter(isNode).map((i) => `${file} imports ${i.from}`))
    expect(lines).toEqual([])
  })
})

describe('app/', () => {
  const isApp = (file: string) => file.startsWith('app/')

  test('imports types and shapes of the server: Next would bundle more a second time', () => {
    const isAllowed = (i: LocalImport) =>
      /^(app|components)\//.test(i.file) || isShape(i.file) || (i.isType && i.file.startsWith('server/'))
    expect(forbidden(isApp, isAllowed)).toEqual([])
  })

  test('has routes that import app/server.ts and nothing else', () => {
    const routes = sources.filter(({ file }) => /^app\/.*route\.ts$/.test(file))
    expect(routes.length).toBeGreaterThan(5)
    const lines = routes.flatMap(({ file, imports }) => imports.map((i) => `${file} imports ${i.file ?? i.from}`))
    expect(lines.filter((line) => !line.endsWith(' imports app/server'))).toEqual([])
  })

  test('can import shapes, since these import only zod, types and other shapes', () => {
    const nameOf = (file: string) => file.replace(/\.ts$/, '')
    const shapes = sources.filter(({ file }) => isShape(nameOf(file)))
    expect(shapes.length).toBeGreaterThan(4)
    const valuesOf = ({ imports }: (typeof sources)[number]): string[] =>
      imports
        .filter((i) => !i.isType)
        .flatMap(({ file, from }) => {
          const inner = file?.endsWith('/shape') && sources.find((source) => nameOf(source.file) === file)
          return inner ? valuesOf(inner) : [from]
        })
    expect([...new Set(shapes.flatMap(valuesOf))]).toEqual(['zod'])
  })
})

describe('every file', () => {
  test('leaves process.env to server/env.ts and the command line', () => {
    const readers = sources.filter(({ readsProcessEnv }) => readsProcessEnv).map(({ file }) => file)
    expect(readers.filter((file) => file !== 'server/env.ts' && !file.startsWith('server/cli/'))).toEqual([])
    expect(readers).toContain('server/env.ts')
  })

  test('exports what it defines: there are no barrels, nor types that are passed on', () => {
    // A route of Next exports its handler under the names of methods.
    const lines = sources
      .filter(({ file }) => !file.startsWith('app/'))
      .flatMap(({ file, imports }) => imports.filter((i) => i.isReExport).map((i) => `${file} re-exports ${i.from}`))
    expect(lines).toEqual([])
  })

  test('below server/ imports by relative paths', () => {
    const lines = sources
      .filter(({ file }) => file.startsWith('server/'))
      .flatMap(({ file, imports }) => imports.filter((i) => i.from.startsWith('@/')).map((i) => `${file}: ${i.from}`))
    expect(lines).toEqual([])
  })

  test('imports files that exist', () => {
    const files = filesBelow('server', 'app', 'components', 'tests').map((file) => file.replace(/\.(tsx?|mjs)$/, ''))
    const known = new Set(files)
    const isKnown = ({ file }: LocalImport) =>
      known.has(file) || known.has(`${file}/index`) || isGenerated(file) || /\.(css|json|d)$/.test(file)
    expect(forbidden(() => true, isKnown)).toEqual([])
  })
})

describe('the reader of source files', () => {
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

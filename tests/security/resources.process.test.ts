import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import * as esbuild from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BUNDLE } from '../../server/cli/bundle-threads.mjs'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import { SERVICE_OPTIONS } from '../../server/cli/setup/root.mjs'
import { HOSTILE_PAGES } from './hostile-pages'

/** Main thread's longest turn, in CPU time. */
const MAX_TURN_MS = 200
/** Memory above that of the idle process. */
const MAX_GROWTH_MB = 512

type Report = {
  value?: string
  code?: string
  message?: string
  charged: boolean
  turnMs: number
  grownMb: number
  others: number
}

/** Beside the bundles of threads, where the process looks for them. */
const PROGRAM = path.join(PROJECT_ROOT, 'dist', `hostile-process-${process.pid}.js`)

let server: Server
let site: string
beforeAll(async () => {
  // As a bundle it starts in half the time that tsx takes, some forty times.
  await esbuild.build({ ...BUNDLE, entryPoints: ['tests/security/hostile-process.ts'], outfile: PROGRAM })
  server = createServer((req, res) => {
    const found = HOSTILE_PAGES[req.url ?? '']
    if (!found) return void res.writeHead(404).end()
    res.writeHead(200, { 'content-type': found.type }).end(found.body())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  site = `http://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(PROGRAM, { force: true })
})

/** Gives hostile inputs to a new process, one after another; returns what each cost it. */
async function surviveAll(kind: string, inputs: readonly string[]): Promise<Report[]> {
  const child = spawn(process.execPath, [...SERVICE_OPTIONS, PROGRAM, kind, site], {
    env: { ...process.env, UPSTREAMS: 'live', ALLOW_PRIVATE_HOSTS: new URL(site).host },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(inputs))
  const lines = (await text(child.stdout)).trim().split('\n')
  expect(lines, 'the process went on to the end').toHaveLength(inputs.length)
  return lines.map((line) => JSON.parse(line) as Report)
}

/** Fails if an input blocked the main thread, took too much memory, or held up another owner. */
function expectBounded(report: Report | undefined): Report {
  if (!report) throw new Error('the process reported nothing')
  expect(report.turnMs, JSON.stringify(report)).toBeLessThanOrEqual(MAX_TURN_MS)
  expect(report.grownMb, JSON.stringify(report)).toBeLessThanOrEqual(MAX_GROWTH_MB)
  expect(report.others, 'calls of an unrelated owner').toBeGreaterThan(0)
  return report
}

const survive = async (kind: string, input: string) => expectBounded((await surviveAll(kind, [input]))[0])

/** Gives the inputs of a `describe` to one process, before its tests. */
function withInputs(kind: string, inputs: readonly string[]): (input: string) => Report {
  let reports: Report[] = []
  beforeAll(async () => {
    reports = await surviveAll(kind, inputs)
  })
  return (input) => expectBounded(reports[inputs.indexOf(input)])
}

describe('a hostile page holds up nobody and costs its caller the price', () => {
  const failing = ['/pdf-bomb', '/pdf-overlapping', '/pdf-many-streams']
  const reportOf = withInputs('page', Object.keys(HOSTILE_PAGES))
  test.each(failing)('%s', (path) => {
    expect(reportOf(path)).toMatchObject({ code: 'upstream_error', charged: true })
  })

  test.each(Object.keys(HOSTILE_PAGES).filter((path) => !failing.includes(path)))('%s', (path) => {
    expect(reportOf(path)).toMatchObject({ charged: true })
  })

  test('six bombs at once', async () => {
    expect(await survive('pages', '/pdf-overlapping')).toMatchObject({ code: 'upstream_error', charged: true })
  })
})

const STATEMENTS: [name: string, input: string][] = [
  ['6,600 UNIONs', `select 1${' union select 1'.repeat(6_600)}`],
  ['1,300 UNIONs', `select 1${' union select 1'.repeat(1_300)}`],
  ['deep parentheses', `select ${'('.repeat(9_900)}1${')'.repeat(9_900)}`],
  ['a long sum', `select ${'1+'.repeat(9_900)}1`],
  ['many columns', `select ${'a,'.repeat(9_900)}a`],
  ['open comments', '/*'.repeat(9_900)],
]

describe('a hostile statement', () => {
  // A process each: the parser keeps the memory it has once needed.
  test.each(STATEMENTS)('is classified: %s', async (_what, sql) => {
    expect((await survive('classify', sql)).value).toMatch(/"kind":"(needs_approval|read)"/)
  })

  test('comments that once took exponential time are refused as SQL, at once', async () => {
    expect(await survive('query', `${'/**/'.repeat(60)}x`)).toMatchObject({ code: 'invalid_request' })
  })

  test('16 queries that never end are stopped, a few at a time', async () => {
    const sql =
      'with recursive n(i, t) as (select 1, hex(randomblob(10000)) union all select i + 1, t || i from n) select count(*), max(t) from n'
    expect(await survive('queries', sql)).toMatchObject({ code: 'invalid_request' })
  })
})

const SCRIPTS: [name: string, input: string][] = [
  ['many commands', 'ls;'.repeat(6_600)],
  ['nested substitutions', `${'$('.repeat(4_000)}ls${')'.repeat(4_000)}`],
  ['nested parentheses', `${'('.repeat(9_000)}ls${')'.repeat(9_000)}`],
  ['open brackets', `echo '${'a['.repeat(9_900)}'`],
  ['sed with open brackets', `sed '/${'[^'.repeat(9_900)}/d' f`],
  ['awk with open strings', `awk '${'"\\"'.repeat(6_000)}' f`],
  ['awk with many prints', `awk '${'print '.repeat(3_200)}' f`],
  ['braces', `echo ${'{a,b}'.repeat(3_900)}`],
  ['50,000 characters', 'x'.repeat(50_000)],
]

describe('a hostile script', () => {
  const reportOf = withInputs(
    'script',
    SCRIPTS.map(([, input]) => input),
  )
  test.each(SCRIPTS)('is classified: %s', (_what, command) => {
    reportOf(command)
  })

  test.each([
    ['a fork bomb', ':(){ :|:& };:'],
    ['a growing string', 'x=aaaaaaaa; while true; do x=$x$x$x; done'],
    ['a growing file', 'echo aaaaaaaaaaaaaaaa > f; while true; do cat f f f f > g; cat g g g g > f; done'],
  ])('is run: %s', async (_what, command) => {
    expect((await survive('command', command)).value).toContain('exitCode')
  })
})

import { deepEqual, match } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_ROOT } from '../../../server/cli/kit/project'
import { env } from '../../../server/env'
import type { Fault } from '../../faults/faults'
import { takePort } from '../../support/ports'
import { queryOnce } from '../../support/query-once'
import type { CheckContext, ProductionCheck } from '../check'
import { runFailingCommand } from '../configuration'
import { type Layout, startLayout } from '../layout'
import { startPgBouncer } from '../pgbouncer'
import { startPostgres } from '../postgres'
import { raceFindings } from '../race'
import { runReportedRound } from '../rolling-restart'

const guide = readFileSync(path.join(PROJECT_ROOT, 'docs/guides/scaling.md'), 'utf8')

/** A part of the guide, so that it and this check cannot differ unseen. */
function inGuide(pattern: RegExp): string {
  const found = pattern.exec(guide)?.[1]
  if (!found) throw new Error(`docs/guides/scaling.md has nothing like ${pattern}.`)
  return found
}

const CONNECT_QUERY = inGuide(/^tollgate = host=10\.0\.0\.5 dbname=tollgate (connect_query=.*)$/m)
const IGNORED = inGuide(/`(ignore_startup_parameters = [\w,]+)`/)

const LIMITS = { statement_timeout: '5s', lock_timeout: '4s', idle_in_transaction_session_timeout: '5s' }

/** Every channel for a while, and nothing goes wrong. */
const ordinary: Fault<Layout> = {
  name: 'ordinary traffic',
  part: 'web',
  mayCut: false,
  unavailable: () => null,
  happen: async () => {},
}

/** Races and traffic of every kind over two web processes and two workers. */
async function serveThrough(context: CheckContext, databaseUrl: string, settings: Record<string, string>) {
  const layout = await startLayout(context, { databaseUrl, webs: 2, workers: 2, settings })
  const findings = await raceFindings(layout.urls)
  const { problems } = await runReportedRound(layout, ordinary, context.say)
  deepEqual([...findings, ...problems], [])
}

/** Starts a web process that must refuse to; returns what it said. */
async function refusal(database: string, direct = ''): Promise<string> {
  const settings = { DATABASE_URL: database, DATABASE_DIRECT_URL: direct, PORT: String(await takePort()) }
  return runFailingCommand(process.execPath, [path.join(PROJECT_ROOT, 'dist', 'web.js')], { env: settings })
}

const transactionCheck: ProductionCheck = {
  name: 'pgbouncer-transaction',
  shows: 'PgBouncer in transaction mode with DATABASE_DIRECT_URL: every kind of call, exact; wrong settings refused',
  needs: ['pgbouncer', 'postgres', 'initdb'],
  needsBuild: true,
  run: async (context) => {
    const postgres = await startPostgres(context)
    const bouncer = { postgres, mode: 'transaction' } as const
    const pooler = await startPgBouncer(context, { ...bouncer, databases: { tollgate: CONNECT_QUERY, bare: '' } })
    const lenient = await startPgBouncer(context, { ...bouncer, databases: { tollgate: CONNECT_QUERY }, more: IGNORED })
    context.onEnd(() => {
      delete process.env.DATABASE_DIRECT_URL
      Object.assign(env(), { DATABASE_DIRECT_URL: undefined })
    })
    const direct = postgres.url('tollgate')
    const settings = { DATABASE_URL: pooler.url('tollgate'), DATABASE_DIRECT_URL: direct }
    await serveThrough(context, direct, settings)
    await queryOnce(postgres.url('postgres'), 'CREATE DATABASE elsewhere OWNER tollgate')

    match(await refusal(pooler.url('tollgate')), /refuses: unsupported startup parameter.*set DATABASE_DIRECT_URL/)
    match(await refusal(lenient.url('tollgate')), /leads to a pooler in transaction mode.*Set DATABASE_DIRECT_URL/)
    match(await refusal(pooler.url('tollgate'), lenient.url('tollgate')), /DATABASE_DIRECT_URL leads to a pooler/)
    match(await refusal(pooler.url('tollgate'), postgres.url('elsewhere')), /lead to different databases/)
    match(
      await refusal(pooler.url('bare'), direct),
      /Behind the pooler of DATABASE_URL .*statement_timeout.* is not set/,
    )
    context.say('refused: no direct URL, one of a pooler, one of another database, no time limits')
  },
}

const sessionCheck: ProductionCheck = {
  name: 'pgbouncer-session',
  shows: 'PgBouncer in session mode, which needs no other URL: every kind of call, exact; its refusal says what to set',
  needs: ['pgbouncer', 'postgres', 'initdb'],
  needsBuild: true,
  run: async (context) => {
    const postgres = await startPostgres(context)
    for (const [name, value] of Object.entries(LIMITS))
      await queryOnce(postgres.url('postgres'), `ALTER ROLE tollgate SET ${name} = '${value}'`)
    const bouncer = { postgres, mode: 'session', databases: { tollgate: '' } } as const
    const pooler = await startPgBouncer(context, { ...bouncer, more: IGNORED })
    const strict = await startPgBouncer(context, bouncer)
    await serveThrough(context, pooler.url('tollgate'), {})
    match(await refusal(strict.url('tollgate')), /refuses: unsupported startup parameter.*ignore_startup_parameters/)
  },
}

export const pgbouncerChecks: readonly ProductionCheck[] = [transactionCheck, sessionCheck]

import { equal, match, rejects } from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { env } from '../../../server/env'
import { startPageServer } from '../../faults/page-server'
import { type Services, startServices } from '../../faults/services'
import { trustCertificate, writeCertificate } from '../../support/certificate'
import { CONTRACTING, EXPANDING } from '../../support/next-release'
import { takePort } from '../../support/ports'
import { queryOnce } from '../../support/query-once'
import type { CheckContext, ProductionCheck } from '../check'
import {
  type Installation,
  installNext,
  installPacked,
  installPreviousRelease,
  newestMigration,
  versionOf,
} from '../installation'
import {
  callWith,
  countCharges,
  makeOperatorKey,
  openAccountBy,
  replaceAll,
  requireExact,
  underCalls,
  verifyBy,
} from '../lifecycle-calls'
import { balanceWebs } from '../load-balancers'
import { type DebianPostgres, startPostgres } from '../postgres'

type Settings = Awaited<ReturnType<typeof settingsOf>>

/** Everything of an installation but its release: each machine has its folder and its secrets. */
async function settingsOf({ folder }: CheckContext, machine: string, databaseUrl: string) {
  const data = path.join(folder, machine)
  mkdirSync(data)
  return {
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: `a-secret-of-the-${machine}-machine-for-checks`,
    ENCRYPTION_KEY: Buffer.from(machine.padEnd(32, '.')).toString('hex'),
    UPSTREAMS: 'sandbox',
    SANDBOX_URL: `http://127.0.0.1:${await takePort()}`,
    STORAGE_URL: `file:${path.join(data, 'files')}`,
    DATA_DIR: data,
    HOST: '127.0.0.1',
    DRAIN_DELAY_S: '5',
    TRUST_PROXY: '1',
    LOG_LEVEL: 'info',
  }
}

/** A web process alone, with its simulated providers. */
async function startWeb(context: CheckContext, { folder }: Installation, settings: Settings): Promise<Services> {
  const wanted = { folder: settings.DATA_DIR, settings, webs: 1, workers: 0, installed: () => folder }
  const services = await startServices(wanted)
  context.onEnd(services.stop)
  return services
}

type Releases = { former: Installation; next: Installation }
type Served = { key: string; calls: number; backup: string; callsInBackup: number }

/** The service through an upgrade, a roll-back and the upgrade again, under calls. */
async function upgradeUnderCalls(context: CheckContext, { former, next }: Releases, first: Settings): Promise<Served> {
  const page = await startPageServer()
  context.onEnd(page.stop)
  const settings = { ...first, ALLOW_PRIVATE_HOSTS: new URL(page.url).host }
  Object.assign(process.env, settings, { LOG_LEVEL: 'error' })
  Object.assign(env(), { DATABASE_URL: settings.DATABASE_URL })
  await former.npm('db:migrate', [], settings)
  let release = former
  const installed = () => release.folder
  const services = await startServices({ folder: settings.DATA_DIR, settings, webs: 2, workers: 2, installed })
  context.onEnd(services.stop)
  const certificate = await writeCertificate(context.folder)
  trustCertificate(certificate)
  const url = await balanceWebs(context, services.web, certificate)
  // Twice the same: each caller of a channel alternates between them.
  const urls = [url, url]
  const query = (sql: string, values?: unknown[]) => queryOnce<never>(settings.DATABASE_URL, sql, values)
  let isMigrated = false
  const service = {
    urls,
    pageUrl: page.url,
    env: settings,
    database: { query },
    // The former release takes rows of budgets, which it does not know, for differences.
    verify: () => verifyBy(isMigrated ? next : release, settings),
  }
  const wanted = process.env.STAGES?.split(',')
  const during = async (name: string, happen: () => Promise<void>, mayCut = false) => {
    if (wanted && !wanted.some((word) => name.includes(word))) return happen()
    // A proxy answers for a process that is killed: then nobody knows which calls were cut.
    const tested = {
      ...service,
      ...(mayCut && { urls: services.web.map(({ url }) => url) }),
      // This checkout's modules know the newer schema only.
      ...(!isMigrated && { openAccount: () => openAccountBy(former, settings) }),
    }
    context.say(await underCalls(tested, { name, happen, mayCut }))
  }

  const key = await makeOperatorKey(former, settings)
  const backup = path.join(context.folder, 'backup')
  let calls = await callWith(key, urls)
  await during('backed up', async () => void (await former.admin(['backup', '--to', backup], settings)))
  const callsInBackup = calls
  await during('migrated and replaced', async () => {
    match(await next.npm('db:migrate', [], settings), /^Applied .*29990101000001_an_index/)
    isMigrated = true
    release = next
    await replaceAll(services)
  })
  calls += await callWith(key, urls)
  await during('rolled back', async () => {
    match(await former.npm('db:migrate', [], settings), /up to date/)
    release = former
    await replaceAll(services)
  })
  calls += await callWith(key, urls)
  const killed = [services.web[0], services.worker[0]]
  const killAndStart = async () => {
    for (const one of killed) one?.signal('SIGKILL')
    await Promise.all(killed.map((one) => one?.ended()))
    for (const one of killed) await one?.start()
  }
  await during('killed, and started on the newer schema', killAndStart, true)
  await during('forward again', async () => {
    release = next
    await replaceAll(services)
  })
  calls += await callWith(key, urls)
  await requireExact(next, settings, calls)
  await services.stop()
  return { key, calls, backup, callsInBackup }
}

/** Restores on another machine, and moves from there to another database. */
async function restoreAndMove(
  context: CheckContext,
  releases: Releases & { first: Settings; postgres: DebianPostgres },
) {
  const { former, next, first, postgres } = releases
  const { key, callsInBackup, backup, ...served } = await upgradeUnderCalls(context, releases, first)
  let { calls } = served
  const last = path.join(context.folder, 'last-backup')
  await next.admin(['backup', '--to', last], first)
  const charges = await countCharges(first.DATABASE_URL)
  const second = await settingsOf(context, 'second', postgres.url('restored'))
  const restore = (from: string, ...more: string[]) => next.admin(['restore', '--from', from, ...more], second)
  const serve = async (where: Settings) => {
    const { web, stop } = await startWeb(context, next, where)
    calls += await callWith(
      key,
      web.map(({ url }) => url),
    )
    web[0]?.signal('SIGTERM')
    await web[0]?.ended()
    await stop()
    await requireExact(next, where, calls)
  }
  await rejects(restore(last), /is not the one of the backup/)
  equal((await restore(backup, '--other-secrets')).ok, true)
  await requireExact(next, second, callsInBackup)
  equal((await restore(last, '--other-secrets', '--replace')).ok, true)
  equal(await countCharges(second.DATABASE_URL), charges)
  await serve(second)
  context.say(`restored with other secrets: ${charges} charges as before, the key is served, verify clean`)
  const third = { ...second, DATABASE_URL: postgres.url('moved') }
  equal((await next.admin(['move-to', third.DATABASE_URL], second)).ok, true)
  await serve(third)
  context.say(`moved: ${await countCharges(third.DATABASE_URL)} charges, the key is served, verify clean`)
  const after = await installNext(next, CONTRACTING, newestMigration(next))
  await after.npm('db:migrate', [], third)
  await serve(third)
  await rejects(startWeb(context, former, third), /does not know: .*29990101000000.* Run the version that made them/)
  context.say('on the schema of the release after the next, the former one refuses and the next one serves')
}

export const lifecycleCheck: ProductionCheck = {
  name: 'lifecycle',
  shows: 'install, calls, backup, upgrade under calls, roll back, forward, restore elsewhere, move: nothing is lost',
  needs: ['postgres', 'initdb', 'haproxy'],
  // Packing builds.
  needsBuild: false,
  run: async (context) => {
    const postgres = await startPostgres(context)
    for (const name of ['restored', 'moved'])
      await queryOnce(postgres.url('postgres'), `CREATE DATABASE ${name} OWNER tollgate`)
    const former = await installPreviousRelease()
    const packed = await installPacked(path.join(context.folder, 'release'))
    // A newer schema, also where this checkout has no migration yet that the former has not.
    const next = await installNext(packed, EXPANDING)
    context.say(`from ${await versionOf(former)} to ${await versionOf(next)}`)
    const first = await settingsOf(context, 'first', postgres.url('tollgate'))
    await restoreAndMove(context, { former, next, first, postgres })
  },
}

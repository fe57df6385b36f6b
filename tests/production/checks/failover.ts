import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../../faults/faults'
import { trustCertificate, writeCertificate } from '../../support/certificate'
import { pollUntil } from '../../support/poll-until'
import { queryOnce } from '../../support/query-once'
import type { CheckContext, ProductionCheck } from '../check'
import { startEtcd } from '../etcd'
import { type Layout, startLayout } from '../layout'
import { balanceDatabase, balanceWebs } from '../load-balancers'
import { type PatroniCluster, type PatroniMember, POSTGRES_PASSWORD, startPatroni } from '../patroni'
import { raceFindings } from '../race'
import { rollingRestarts, runReportedRound } from '../rolling-restart'

/** Calls must be served again this long after a primary is gone. */
const MAX_PAUSE_S = 30
/** Longer than Patroni's ttl, so that a frozen primary has a successor when it goes on. */
const FROZEN_MS = 40_000

type Replicated = Layout & { patroni: PatroniCluster; say: CheckContext['say'] }

/** Something that happens to the primary. `recover` is what the operator does afterwards. */
function primaryFault(
  name: string,
  harm: (primary: PatroniMember, cluster: Replicated) => void | Promise<void>,
  recover: (former: PatroniMember) => void | Promise<void> = () => {},
): Fault<Replicated> {
  return {
    name: `primary ${name}`,
    part: 'database',
    mayCut: false,
    unavailable: () => null,
    happen: async (cluster) => {
      const { patroni, say } = cluster
      const former = await patroni.untilWhole()
      const at = Date.now()
      await harm(former, cluster)
      const successor = await pollUntil('another primary', async () => {
        const now = await patroni.primary()
        return now && now.name !== former.name ? now : null
      })
      say(`${name}: ${former.name} to ${successor.name}, primary after ${seconds(Date.now() - at)}`)
      await sleep(Math.max(0, at + FROZEN_MS - Date.now()))
      await recover(former)
      await patroni.untilWhole()
      say(`${name}: ${former.name} is a replica again after ${seconds(Date.now() - at)}`)
    },
  }
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

const FAULTS: Fault<Replicated>[] = [
  primaryFault(
    'machine killed',
    (primary) => primary.signalMachine('SIGKILL'),
    (former) => former.start(),
  ),
  primaryFault('PostgreSQL killed', (primary) => primary.signalPostgres('SIGKILL')),
  primaryFault(
    'machine frozen',
    (primary) => primary.signalMachine('SIGSTOP'),
    (former) => former.signalMachine('SIGCONT'),
  ),
  primaryFault('switched over', (primary, { patroni }) => patroni.switchOver(primary)),
]

/** Patroni, etcd, HAProxy, 3 web, 3 workers and storage: the layout of the guide. */
async function startReplicated(context: CheckContext): Promise<Replicated> {
  const patroni = await startPatroni(context, await startEtcd(context, 3))
  const { primaryPort } = await balanceDatabase(context, patroni)
  const superuser = `postgresql://postgres:${POSTGRES_PASSWORD}@127.0.0.1:${primaryPort}/postgres`
  await queryOnce(superuser, `CREATE ROLE tollgate LOGIN PASSWORD '${POSTGRES_PASSWORD}'`)
  await queryOnce(superuser, 'CREATE DATABASE tollgate OWNER tollgate')
  const databaseUrl = `postgresql://tollgate:${POSTGRES_PASSWORD}@127.0.0.1:${primaryPort}/tollgate`
  const layout = await startLayout(context, { databaseUrl, webs: 3, workers: 3, settings: { TRUST_PROXY: '1' } })
  const certificate = await writeCertificate(context.folder)
  trustCertificate(certificate)
  const url = await balanceWebs(context, layout.services.web, certificate)
  // Twice the same: each caller of a channel alternates between them.
  return { ...layout, urls: [url, url], patroni, say: context.say }
}

export const failoverCheck: ProductionCheck = {
  name: 'failover',
  shows: 'a primary that is killed, frozen or switched over costs no charge, and calls go on within 30 s',
  needs: ['patroni', 'patronictl', 'etcd', 'postgres', 'haproxy'],
  needsBuild: true,
  run: async (context) => {
    const cluster = await startReplicated(context)
    const findings = await raceFindings(cluster.urls)
    const wanted = process.env.FAULTS?.split(',')
    const faults: Fault<Replicated>[] = [...rollingRestarts, ...FAULTS]
    for (const fault of faults.filter(({ name }) => !wanted || wanted.some((word) => name.includes(word)))) {
      const { cells, problems } = await runReportedRound(cluster, fault, context.say)
      const paused = cells.filter(({ pauseS }) => pauseS > MAX_PAUSE_S)
      findings.push(...problems, ...paused.map(({ channel }) => `${fault.name}, ${channel}: no call for too long`))
    }
    assert.deepEqual(findings, [])
  },
}

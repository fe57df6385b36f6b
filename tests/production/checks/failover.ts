import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Fault } from '../../faults/faults'
import { faultFindings } from '../../faults/report'
import { runRound } from '../../faults/run-round'
import { pollUntil } from '../../support/poll-until'
import type { CheckContext, ProductionCheck } from '../check'
import { startEtcd } from '../etcd'
import { type Layout, queryDatabase, startLayout } from '../layout'
import { balanceDatabase, balanceWebs } from '../load-balancers'
import { type PatroniCluster, type PatroniMember, POSTGRES_PASSWORD, startPatroni } from '../patroni'

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
  await queryDatabase(superuser, `CREATE ROLE tollgate LOGIN PASSWORD '${POSTGRES_PASSWORD}'`)
  await queryDatabase(superuser, 'CREATE DATABASE tollgate OWNER tollgate')
  const databaseUrl = `postgresql://tollgate:${POSTGRES_PASSWORD}@127.0.0.1:${primaryPort}/tollgate`
  const layout = await startLayout(context, { databaseUrl, webs: 3, workers: 3, settings: { TRUST_PROXY: '1' } })
  const url = await balanceWebs(context, layout.services.web)
  setDefaultCACertificates([
    ...getCACertificates('default'),
    readFileSync(path.join(context.folder, 'tls.crt'), 'utf8'),
  ])
  // Twice the same: each caller of a channel alternates between them.
  return { ...layout, urls: [url, url], patroni, say: context.say }
}

export const failoverCheck: ProductionCheck = {
  name: 'failover',
  shows: 'a primary that is killed, frozen or switched over costs no charge, and calls go on within 30 s',
  needs: ['patroni', 'patronictl', 'etcd', 'postgres', 'haproxy', 'openssl'],
  needsBuild: true,
  run: async (context) => {
    const cluster = await startReplicated(context)
    const findings: string[] = []
    const wanted = process.env.FAULTS?.split(',')
    for (const fault of FAULTS.filter(({ name }) => !wanted || wanted.some((word) => name.includes(word)))) {
      const round = await runRound(cluster, fault)
      for (const { channel, calls, delivered, unavailable, pauseS } of round.cells) {
        context.say(
          `${fault.name}, ${channel}: ${delivered} of ${calls} delivered, ${unavailable} unavailable, ` +
            `longest pause ${pauseS.toFixed(1)} s`,
        )
        if (pauseS > MAX_PAUSE_S) findings.push(`${fault.name}, ${channel}: no call delivered for ${pauseS} s`)
      }
      findings.push(...faultFindings(round))
    }
    assert.deepEqual(findings, [])
  },
}

import type { WebTarget } from '../faults/services'
import type { CertificateFiles } from '../support/certificate'
import { takePort } from '../support/ports'
import type { CheckContext } from './check'
import { adaptConfiguration } from './configuration'
import { commandPath } from './debian'
import type { PatroniCluster } from './patroni'

/** Runs HAProxy before the members of a cluster. Returns the ports of primary and replicas. */
export async function balanceDatabase(
  { folder, startDaemon }: CheckContext,
  { members }: PatroniCluster,
): Promise<{ primaryPort: number; replicaPort: number }> {
  const [primaryPort, replicaPort] = [await takePort(), await takePort()]
  const servers = members.map(({ postgresPort, restPort }, i) => [
    `10.0.0.2${i + 1}:5432`,
    `127.0.0.1:${postgresPort} port ${restPort}`,
  ])
  const file = adaptConfiguration('haproxy/postgresql.cfg', folder, {
    'bind :5432': `bind 127.0.0.1:${primaryPort}`,
    'bind :5433': `bind 127.0.0.1:${replicaPort}`,
    ...Object.fromEntries(servers),
  })
  await startDaemon({
    name: 'haproxy-postgresql',
    command: commandPath('haproxy'),
    args: ['-W', '-db', '-f', file],
    // It takes every member for the primary until its first checks have said otherwise.
    isReady: (log) =>
      members.filter(({ name }) => log.includes(`primary/${name} is DOWN`)).length === members.length - 1,
  })
  return { primaryPort, replicaPort }
}

/** Runs HAProxy before web processes. Returns its URL. */
export async function balanceWebs(
  { folder, startDaemon }: CheckContext,
  webs: readonly WebTarget[],
  { pem }: CertificateFiles,
): Promise<string> {
  const [port, plainPort] = [await takePort(), await takePort()]
  const servers = webs.map(({ url }, i) => [`10.0.0.1${i + 1}:3000`, new URL(url).host])
  const file = adaptConfiguration('haproxy/web.cfg', folder, {
    'bind :80': `bind 127.0.0.1:${plainPort}`,
    'bind :443': `bind 127.0.0.1:${port}`,
    '/etc/haproxy/tollgate.pem': pem,
    ...Object.fromEntries(servers),
  })
  await startDaemon({
    name: 'haproxy-web',
    command: commandPath('haproxy'),
    args: ['-W', '-db', '-f', file],
    isReady: (log) => log.includes('Loading success'),
  })
  return `https://localhost:${port}`
}

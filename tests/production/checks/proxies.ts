import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WebTarget } from '../../faults/services'
import type { CertificateFiles } from '../../support/certificate'
import { pollUntil } from '../../support/poll-until'
import { takePort } from '../../support/ports'
import { childrenOf } from '../../support/process-table'
import type { CheckContext, ProductionCheck } from '../check'
import { adaptConfiguration } from '../configuration'
import type { DebianCommand } from '../debian'
import { commandPath } from '../debian'
import { balanceWebs } from '../load-balancers'
import { writeNginxMain } from '../nginx-main'
import { checkProxy, type RunningProxy } from '../proxy-promises'

type Proxy = (context: CheckContext, webs: readonly WebTarget[], certificate: CertificateFiles) => Promise<RunningProxy>

const backends = (webs: readonly WebTarget[]) =>
  Object.fromEntries(webs.map(({ url }, i) => [`10.0.0.1${i + 1}:3000`, new URL(url).host]))

const answersAt = (url: string) => () =>
  fetch(`${url}/healthz`).then(
    (answer) => answer.ok,
    () => false,
  )

const haproxy: Proxy = async (...given) => ({ url: await balanceWebs(...given) })

const nginx: Proxy = async ({ folder, startDaemon }, webs, { key, certificate }) => {
  const [port, plainPort] = [await takePort(), await takePort()]
  const site = adaptConfiguration('nginx/tollgate.conf', folder, {
    'listen 80;': `listen 127.0.0.1:${plainPort};`,
    'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
    'server_name tollgate.example.com': 'server_name localhost',
    '/etc/nginx/tollgate.crt': certificate,
    '/etc/nginx/tollgate.key': key,
    '/var/log/nginx/tollgate.log': path.join(folder, 'access.log'),
    ...backends(webs),
  })
  const url = `https://localhost:${port}`
  const args = ['-p', folder, '-c', writeNginxMain(folder, site)]
  const daemon = await startDaemon({ name: 'nginx', command: commandPath('nginx'), args, isReady: answersAt(url) })
  const whole = readFileSync(site, 'utf8')
  const leaveOut = async (web: WebTarget | null) => {
    const server = web && `server ${new URL(web.url).host}`
    writeFileSync(site, server ? whole.replace(server, `${server} down`) : whole)
    const workers = childrenOf(daemon.pid)
    daemon.signal('SIGHUP')
    // Those of before finish what they have, and take nothing more.
    await pollUntil('new workers of nginx', () => childrenOf(daemon.pid).some((pid) => !workers.includes(pid)))
    await sleep(1_000)
  }
  return { url, leaveOut }
}

const caddy: Proxy = async ({ folder, startDaemon }, webs, { key, certificate }) => {
  const port = await takePort()
  const file = adaptConfiguration('caddy/Caddyfile', folder, {
    'tollgate.example.com, *.tollgate-sites.example {': `https://localhost:${port} {\n\ttls ${certificate} ${key}`,
    ...backends(webs),
  })
  // No administration port, which is the same on every machine.
  const main = path.join(folder, 'Caddyfile')
  writeFileSync(main, `{\n\tadmin off\n\tauto_https off\n}\nimport ${file}\n`)
  const url = `https://localhost:${port}`
  await startDaemon({
    name: 'caddy',
    command: commandPath('caddy'),
    args: ['run', '--adapter', 'caddyfile', '--config', main],
    env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    isReady: answersAt(url),
  })
  return { url }
}

const proxyCheck = (name: DebianCommand, start: Proxy): ProductionCheck => ({
  name: `proxy-${name}`,
  shows: `${name} in front: streams, bodies, addresses, agent events, MCP, and a rolling restart without a failed call`,
  needs: [name],
  needsBuild: true,
  run: (context) => checkProxy(context, (webs, certificate) => start(context, webs, certificate)),
})

export const proxyChecks: readonly ProductionCheck[] = [
  proxyCheck('haproxy', haproxy),
  proxyCheck('nginx', nginx),
  proxyCheck('caddy', caddy),
]

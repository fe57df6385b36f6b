import path from 'node:path'
import { writeCertificate } from '../../support/certificate'
import type { ProductionCheck } from '../check'
import { adaptConfiguration, runCommand } from '../configuration'
import { commandPath } from '../debian'
import { writeNginxMain } from '../nginx-main'

/** Each program's own check of its file. */
export const configurationCheck: ProductionCheck = {
  name: 'configurations',
  shows: 'HAProxy, nginx and Caddy accept the files of deploy/',
  needs: ['haproxy', 'nginx', 'caddy'],
  needsBuild: false,
  run: async ({ folder, say }) => {
    const { key, certificate, pem } = await writeCertificate(folder)
    for (const file of ['haproxy/web.cfg', 'haproxy/postgresql.cfg']) {
      const adapted = adaptConfiguration(
        file,
        folder,
        file.endsWith('web.cfg') ? { '/etc/haproxy/tollgate.pem': pem } : {},
      )
      runCommand(commandPath('haproxy'), ['-c', '-f', adapted])
      say(`deploy/${file}`)
    }
    const site = adaptConfiguration('nginx/tollgate.conf', folder, {
      '/etc/nginx/tollgate.crt': certificate,
      '/etc/nginx/tollgate.key': key,
      '/var/log/nginx/tollgate.log': path.join(folder, 'access.log'),
    })
    runCommand(commandPath('nginx'), ['-t', '-p', folder, '-c', writeNginxMain(folder, site)])
    say('deploy/nginx/tollgate.conf')
    const caddyfile = adaptConfiguration('caddy/Caddyfile', folder, {})
    runCommand(commandPath('caddy'), ['validate', '--adapter', 'caddyfile', '--config', caddyfile])
    say('deploy/caddy/Caddyfile')
  },
}

import { writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Writes what surrounds a file of /etc/nginx/conf.d: Debian's nginx.conf, for a server in the
 * foreground with its files in one folder. Returns its path.
 */
export function writeNginxMain(folder: string, site: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${folder}/${name};`,
  )
  const file = path.join(folder, 'nginx.conf')
  const lines = [
    'daemon off;',
    `pid ${folder}/nginx.pid;`,
    `error_log stderr notice;`,
    'events { worker_connections 768; }',
    'http {',
    ...temporary,
    `  include ${site};`,
    '}',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { SOURCE_ROOT } from '../support/source-imports'

const SHOWN = [
  ['proxies', 'haproxy/web.cfg'],
  ['proxies', 'nginx/tollgate.conf'],
  ['proxies', 'caddy/Caddyfile'],
  ['high-availability', 'etcd/etcd.env'],
  ['high-availability', 'patroni/patroni.env'],
  ['high-availability', 'patroni/patroni.yml'],
  ['high-availability', 'haproxy/postgresql.cfg'],
] as const

describe('a configuration in a guide', () => {
  test.each(SHOWN)('%s shows deploy/%s as it is', (guide, file) => {
    const shown = readFileSync(path.join(SOURCE_ROOT, 'docs/guides', `${guide}.md`), 'utf8')
    expect(shown).toContain(`\n${readFileSync(path.join(SOURCE_ROOT, 'deploy', file), 'utf8')}\`\`\`\n`)
  })
})

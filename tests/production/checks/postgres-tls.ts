import { deepEqual, match } from 'node:assert/strict'
import { chmodSync, chownSync, copyFileSync } from 'node:fs'
import path from 'node:path'
import { startServices } from '../../faults/services'
import { writeCertificate } from '../../support/certificate'
import { takePort } from '../../support/ports'
import { queryOnce } from '../../support/query-once'
import { runToEnd } from '../../support/run-to-end'
import type { CheckContext, ProductionCheck } from '../check'
import { postgresUser } from '../debian'
import { type DebianPostgres, startPostgres } from '../postgres'

/** Turns TLS on, and lets the role `tollgate` in with it only. */
async function requireTls({ data, url }: DebianPostgres, { folder }: CheckContext) {
  const { key, certificate } = await writeCertificate(folder)
  const owned = path.join(data, 'server.key')
  copyFileSync(key, owned)
  chmodSync(owned, 0o600)
  const { uid, gid } = postgresUser()
  if (uid !== undefined && gid !== undefined) chownSync(owned, uid, gid)
  chmodSync(certificate, 0o644)
  const rules = ['host all postgres all trust', 'hostssl all all all trust'].map((rule) => `${rule}\\n`)
  const superuser = (sql: string) => queryOnce(url('postgres'), sql)
  await superuser(`COPY (SELECT 1) TO PROGRAM 'printf "${rules.join('')}" > ${path.join(data, 'pg_hba.conf')}'`)
  await superuser(`ALTER SYSTEM SET ssl_cert_file = '${certificate}'`)
  await superuser('ALTER SYSTEM SET ssl = on')
  await superuser('SELECT pg_reload_conf()')
  return certificate
}

/** The addresses of all connections of the service, and whether they are encrypted. */
const CONNECTIONS = `SELECT split_part(application_name, ' ', 2) AS kind, bool_and(s.ssl) AS encrypted
  FROM pg_stat_activity a JOIN pg_stat_ssl s USING (pid)
  WHERE application_name LIKE 'tollgate w%' GROUP BY 1 ORDER BY 1`

export const postgresTlsCheck: ProductionCheck = {
  name: 'postgres-tls',
  shows:
    'TLS to PostgreSQL with a certificate of an own authority: every connection is encrypted; refusals say what to set',
  needs: ['postgres', 'initdb'],
  needsBuild: true,
  run: async (context) => {
    const postgres = await startPostgres(context)
    const base = postgres.url('tollgate').replace('127.0.0.1', 'localhost')
    const settings = {
      DATABASE_URL: base,
      UPSTREAMS: 'sandbox',
      AUTH_SECRET: 'a-secret-for-production-checks-only-03',
      ENCRYPTION_KEY: '00'.repeat(32),
      DATA_DIR: context.folder,
      HOST: '127.0.0.1',
      SANDBOX_URL: `http://127.0.0.1:${await takePort()}`,
      LOG_LEVEL: 'info',
    }
    const npm = (script: string, url: string) =>
      runToEnd('npm', ['run', '--silent', ...script.split(' ')], { ...settings, DATABASE_URL: url })
    const said = async (script: string, url: string) => {
      const { stdout, stderr } = await npm(script, url)
      return stdout + stderr
    }
    match(await said('db:migrate', `${base}?sslmode=verify-full`), /does not support SSL.*Turn TLS on there/)
    const certificate = await requireTls(postgres, context)
    match(
      await said('db:migrate', base),
      /no encryption\. It takes encrypted connections only: add sslmode=verify-full/,
    )
    const untrusted = `${base}?sslmode=verify-full`
    for (const script of ['db:migrate', 'start', 'worker', 'admin -- doctor'])
      match(await said(script, untrusted), /self-signed certificate.*[\s\S]*sslrootcert=\/path\/to\/ca\.pem/)
    const trusted = `${untrusted}&sslrootcert=${certificate}`
    match(await said('db:migrate', `${untrusted}&sslrootcert=/nowhere/ca.pem`), /sslrootcert name a readable file/)
    match(await said('db:migrate', trusted), /^Applied /m)
    const { stop } = await startServices({
      folder: context.folder,
      settings: { ...settings, DATABASE_URL: trusted },
      webs: 1,
      workers: 1,
    })
    context.onEnd(stop)
    deepEqual(await queryOnce(postgres.url('postgres'), CONNECTIONS), [
      { kind: 'web', encrypted: true },
      { kind: 'worker', encrypted: true },
    ])
    context.say('refused: no TLS on the server, none in the address, an unknown authority, a missing file')
  },
}

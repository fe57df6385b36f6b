import { expect, test } from 'vitest'
import { describeDatabaseError } from './database-error'
import { tlsProblem } from './tls-error'

const withCode = (message: string, code?: string) => Object.assign(new Error(message), { code })

test.each([
  ['self-signed certificate in certificate chain', 'SELF_SIGNED_CERT_IN_CHAIN', 'sslrootcert=/path/to/ca.pem'],
  ['self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'sslmode=verify-full'],
  ["Hostname/IP does not match certificate's altnames", 'ERR_TLS_CERT_ALTNAME_INVALID', 'Name the host'],
  ['no pg_hba.conf entry for host "10.0.0.9", user "a", database "b", no encryption', '28000', 'sslmode=verify-full'],
  ['The server does not support SSL connections', undefined, 'ssl = on'],
])('"%s" says what to set', (message, code, advice) => {
  const found = describeDatabaseError(withCode(message, code), 'postgresql://user:secret@db.example.com/tollgate')
  expect(found).toMatchObject({ message: expect.stringContaining(advice) })
  expect(String(found)).toContain(`db.example.com:5432/tollgate: ${message}. `)
  expect(String(found)).not.toContain('secret')
})

test('other errors are not about encryption', () => {
  expect(tlsProblem(withCode('connect ECONNREFUSED', 'ECONNREFUSED'))).toBeNull()
  expect(tlsProblem(withCode('password authentication failed', '28P01'))).toBeNull()
})

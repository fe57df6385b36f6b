import { expect, test } from 'vitest'
import { env } from '../../server/env'
import { queryOnce } from '../support/query-once'

// A managed PostgreSQL gives a role that owns its database and nothing else. What needs more fails
// there, so no test, bench or simulation may run with more.
test('tests run as a role that owns its database and has no other right', async () => {
  const rows = await queryOnce(
    env().DATABASE_URL,
    `SELECT r.rolcanlogin, r.rolsuper, r.rolcreatedb, r.rolcreaterole, r.rolreplication, r.rolbypassrls,
      r.oid = d.datdba AS "isOwner", EXISTS (SELECT 1 FROM pg_auth_members m WHERE m.member = r.oid) AS "isMember"
    FROM pg_roles r, pg_database d WHERE r.rolname = current_user AND d.datname = current_database()`,
  )
  expect(rows).toEqual([
    {
      rolcanlogin: true,
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolreplication: false,
      rolbypassrls: false,
      isOwner: true,
      isMember: false,
    },
  ])
})

import { hashSecret, makeSecret } from '../../server/keys/secret'
import { bulkQuery } from '../support/bulk-query'
import { compareSubjects, measureLoad, startGateway } from './measure'
import { QUERY_BODY } from './query-body'
import { formatWhole } from './table'

const ACCOUNTS = 10_000
const WARM_UP_SECONDS = 12

/** Owners with credits and a key of each, without limits; returns the keys' secrets. */
async function makeAccounts(count: number): Promise<string[]> {
  const secrets = Array.from({ length: count }, makeSecret)
  await bulkQuery(
    `WITH given AS (
       SELECT * FROM unnest($1::bytea[], $2::text[]) WITH ORDINALITY AS g (hash, last4, n)
     ), made AS (
       INSERT INTO owner (email) SELECT 'bench' || n || '@example.com' FROM given RETURNING id, email
     ), paired AS (
       SELECT made.id AS owner_id, g.* FROM made JOIN given g ON made.email = 'bench' || g.n || '@example.com'
     ), account AS (
       INSERT INTO account (owner_id, available) SELECT owner_id, 1000000000 FROM paired
     ), paid AS (
       INSERT INTO ledger (at, amount, owner_id, note) SELECT now(), 1000000000, owner_id, 'bench' FROM paired
     ), keys AS (
       INSERT INTO "key" (owner_id, name, all_tools, rpm) SELECT owner_id, 'bench', true, 2000000000 FROM paired
         RETURNING id, owner_id
     )
     INSERT INTO key_secret (hash, key_id, last4)
       SELECT p.hash, keys.id, p.last4 FROM keys JOIN paired p USING (owner_id)`,
    [secrets.map(hashSecret), secrets.map((secret) => secret.slice(-4))],
  )
  await bulkQuery('VACUUM ANALYZE', [])
  return secrets
}

/**
 * The billed `/query` of one account against that of 10,000, each call of another account than the
 * one before. Returns a Markdown table.
 */
export async function benchAccounts(): Promise<string> {
  const { url, pid, key, stop } = await startGateway()
  try {
    const query = { pid, url: `${url}/api/v1/query`, body: QUERY_BODY }
    const keys = await makeAccounts(ACCOUNTS)
    const one = { ...query, name: 'one account', keys: [key] }
    const many = { ...query, name: `${formatWhole(ACCOUNTS)} accounts, one after the other`, keys }
    // The first call of each key makes rows: that is not what a call costs.
    await measureLoad(many, WARM_UP_SECONDS)
    return await compareSubjects([one, many], 'one account')
  } finally {
    await stop()
  }
}

import { mainPool } from '../../server/db'
import { bulkQuery } from './bulk-query'

/**
 * Seals an owner's receipts that have 0 for a seal, numbers the ledger rows in the order of their
 * times and chains them, for rows that a test wrote or moved: as if each had been written at its
 * time.
 */
export async function chainAgain(ownerId: number): Promise<void> {
  await bulkQuery('SELECT receipt_seal_again(id) FROM receipt WHERE owner_id = $1 AND seal = 0', [ownerId])
  await bulkQuery(
    `UPDATE ledger l SET id = n.id FROM (
       SELECT o.id AS was, nextval('ledger_id_seq') AS id FROM (SELECT id FROM ledger WHERE owner_id = $1 ORDER BY at, id) o) n
     WHERE l.id = n.was`,
    [ownerId],
  )
  await bulkQuery(
    `UPDATE account SET chain = ledger_chain(owner_id, NULL, '-infinity', 'infinity', 9223372036854775807) WHERE owner_id = $1`,
    [ownerId],
  )
}

/** Moves a call to another time, as if it had been made then. */
export async function moveCall(id: string, at: Date): Promise<void> {
  const { rows } = await mainPool().query<{ ownerId: number }>(
    'UPDATE receipt SET at = $2 WHERE id = $1 RETURNING owner_id AS "ownerId"',
    [id, at],
  )
  await mainPool().query('SELECT receipt_seal_again($1)', [id])
  await mainPool().query('UPDATE ledger SET at = $2 WHERE hold_id = $1', [id, at])
  for (const { ownerId } of rows) await chainAgain(ownerId)
}

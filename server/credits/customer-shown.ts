import { RECEIPT_CALL } from './shape'

const DELETED = 'deleted:'

/** The customer that receipts show, as SQL of another table's customer_id and owner_id. */
export const customerShown = (table: string): string => RECEIPT_CALL.customer.sql.replaceAll('r.', `${table}.`)

/** The id of the customer that is shown so, as SQL, by placeholders of owner and text. */
export const customerOfShown = (shown: string, { owner, text }: { owner: string; text: string }): string =>
  shown.startsWith(DELETED)
    ? `(SELECT max(c.id) FROM customer c WHERE c.owner_id = ${owner} AND c.name IS NULL AND '${DELETED}' || c.hash = ${text})`
    : `(SELECT c.id FROM customer c WHERE c.owner_id = ${owner} AND c.name = ${text})`

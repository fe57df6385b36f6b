import { executeStatement, runRead } from '../db'
import { deletionTask, type RetentionTask } from '../kit/retention-task'
import { statement } from '../kit/statement'

const STEP = 500

const UNUSED = `SELECT id FROM oauth_client WHERE allowed_at IS NULL AND created_at < now() - interval '7 days'`
/** A replay is noticed for a day. */
const OLD = `SELECT hash FROM oauth_code WHERE expires_at < now() - interval '1 day'`

const OLD_TOKENS = `SELECT hash FROM oauth_refresh_token WHERE expires_at < now() - interval '1 day'`

const COUNT_CLIENTS = statement({
  name: 'unused_oauth_clients_count',
  sql: `SELECT count(*)::int AS n FROM (${UNUSED}) o`,
  params: [],
  columns: { n: 'int' },
})
const DELETE_CLIENTS = statement({
  name: 'unused_oauth_clients_delete',
  sql: `DELETE FROM oauth_client WHERE id IN (${UNUSED} LIMIT ${STEP} FOR UPDATE SKIP LOCKED)`,
  params: [],
})
const COUNT_CODES = statement({
  name: 'old_oauth_codes_count',
  sql: `SELECT count(*)::int AS n FROM (${OLD}) o`,
  params: [],
  columns: { n: 'int' },
})
const DELETE_CODES = statement({
  name: 'old_oauth_codes_delete',
  sql: `DELETE FROM oauth_code WHERE hash IN (${OLD} LIMIT ${STEP} FOR UPDATE SKIP LOCKED)`,
  params: [],
})

const COUNT_TOKENS = statement({
  name: 'old_oauth_refresh_tokens_count',
  sql: `SELECT count(*)::int AS n FROM (${OLD_TOKENS}) o`,
  params: [],
  columns: { n: 'int' },
})
const DELETE_TOKENS = statement({
  name: 'old_oauth_refresh_tokens_delete',
  sql: `DELETE FROM oauth_refresh_token WHERE hash IN (${OLD_TOKENS} LIMIT ${STEP} FOR UPDATE SKIP LOCKED)`,
  params: [],
})

const task = (name: string, count: typeof COUNT_CODES, remove: typeof DELETE_CODES): RetentionTask =>
  deletionTask(name, { count: () => runRead(count, []), remove: () => executeStatement(remove, []), perStep: STEP })

/** Clients that registered themselves a week ago and were never allowed anything. */
export const unusedOAuthClients = (): RetentionTask => task('unused OAuth clients', COUNT_CLIENTS, DELETE_CLIENTS)

/** Authorization codes that expired a day ago. */
export const oldOAuthCodes = (): RetentionTask => task('OAuth codes', COUNT_CODES, DELETE_CODES)

/** Refresh tokens that expired a day ago. */
export const oldRefreshTokens = (): RetentionTask => task('OAuth refresh tokens', COUNT_TOKENS, DELETE_TOKENS)

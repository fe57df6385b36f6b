import { type NewAuditEvent, recordAudit } from '../accounts/audit'
import { rememberIdentity } from '../accounts/former-identity'
import { IdentityProviderId } from '../accounts/shape'
import { inTransaction, runIn, runStatement, type Transaction } from '../db'
import { AppError } from '../errors'
import { statement } from '../kit/statement'

/** What callers of a deleted account would read; its keys are revoked, so they read that. */
const SUSPENDED_FOR = 'It was deleted.'

// In the order in which money locks them: keys by id, then the account.
const CLOSE_KEYS = statement({
  name: 'owner_data_close_keys',
  sql: `WITH mine AS MATERIALIZED (SELECT id FROM "key" WHERE owner_id = $1::int ORDER BY id FOR UPDATE)
    UPDATE "key" k SET revoked_at = coalesce(k.revoked_at, now()), name = 'Key ' || k.id, tags = '{}'
    FROM mine WHERE k.id = mine.id`,
  params: ['int'],
})
// Their actor, place and subject would say who the owner was. What operators did stays whole.
const ANONYMIZE_LOG = statement({
  name: 'owner_data_anonymize_log',
  sql: `UPDATE audit_event SET actor = NULL, subject = NULL, detail = NULL, address = NULL, user_agent = NULL
    WHERE owner_id = $1::int AND actor_kind <> 'operator'`,
  params: ['int'],
})
const LOCK_OPERATORS = statement({
  name: 'owner_data_lock_operators',
  sql: 'SELECT id FROM owner WHERE is_admin ORDER BY id FOR NO KEY UPDATE',
  params: [],
  columns: { id: 'int' },
})
const CANCEL_RUNS = statement({
  name: 'owner_data_cancel_runs',
  sql: `SELECT agent_cancel(j.id, j.run_id, NULL) AS cancelled FROM job j
    WHERE j.owner_id = $1 AND j.status IN ('running', 'awaiting_input') ORDER BY j.id`,
  params: ['int'],
  columns: { cancelled: 'boolean' },
})

/** An instance without an operator could not be run any more. */
async function checkOthersOperate(tx: Transaction, id: number): Promise<void> {
  const operators = await runIn(tx, LOCK_OPERATORS, [])
  if (operators.length === 1 && operators[0]?.id === id)
    throw new AppError('conflict', 'This is the last operator. Make somebody else an operator first.')
}

/** Everything of an owner's that is neither money nor large. */
async function removeRows(tx: Transaction, ownerId: number): Promise<void> {
  const where = { ownerId }
  await tx.session.deleteMany({ where })
  await tx.accountLink.deleteMany({ where })
  await tx.passkey.deleteMany({ where })
  await tx.authenticatorApp.deleteMany({ where })
  await tx.recoveryCode.deleteMany({ where })
  await tx.login.deleteMany({ where })
  await tx.oAuthCode.deleteMany({ where })
  await tx.keyClient.deleteMany({ where: { key: where } })
  await tx.schedule.deleteMany({ where })
  await tx.webhookDelivery.deleteMany({ where: { ...where, status: 'pending' } })
  await tx.taskDelivery.deleteMany({ where })
  await tx.mcpTask.deleteMany({ where })
  await tx.webhookSecret.deleteMany({ where })
  await tx.agentSettings.deleteMany({ where })
  await tx.welcome.deleteMany({ where })
  await tx.dataset.deleteMany({ where })
  await tx.refusal.deleteMany({ where })
  await tx.notice.deleteMany({ where })
  await tx.noticeReader.deleteMany({ where })
  await tx.noticeSettings.deleteMany({ where })
  await tx.customer.updateMany({ where, data: { name: null } })
  // What is kept of calls is deleted by retention, as when its owner turns the log off.
  await tx.owner.update({ where: { id: ownerId }, data: { keepsRequestLog: false } })
  await tx.site.updateMany({ where, data: { live: null } })
}

/** The row stays for the books; its address is free again. Throws `not_found` for a deleted one. */
async function closeAccount(tx: Transaction, id: number): Promise<void> {
  await checkOthersOperate(tx, id)
  const owner = await tx.owner.findFirst({ where: { id, deletedAt: null }, include: { logins: true } })
  if (!owner) throw new AppError('not_found', 'There is no such owner.')
  const logins = owner.logins.map(({ provider, subject }) => ({
    provider: IdentityProviderId.parse(provider),
    subject,
  }))
  await rememberIdentity(tx, { email: owner.email, logins })
  await runIn(tx, CLOSE_KEYS, [id])
  await tx.account.updateMany({
    where: { ownerId: id },
    data: { suspendedFor: SUSPENDED_FOR, suspendedAt: new Date() },
  })
  await removeRows(tx, id)
  await runIn(tx, ANONYMIZE_LOG, [id])
  const { count } = await tx.owner.updateMany({
    where: { id, deletedAt: null },
    data: {
      email: `deleted-${id}@deleted.invalid`,
      name: null,
      passwordHash: null,
      isAdmin: false,
      deletedAt: new Date(),
    },
  })
  if (count === 0) throw new AppError('not_found', 'There is no such owner.')
}

/**
 * Deletes an owner's account: keys are revoked, sessions and schedules end, runs are cancelled, and
 * what the owner has stored is deleted, jobs, files and sites by retention within minutes. Calls in
 * progress end and are charged. Ledger, receipts and the audit log stay, without a name or address.
 * Throws `not_found`, and `conflict` for the last operator.
 */
export async function deleteOwner(ownerId: number, actor: NewAuditEvent['actor']): Promise<void> {
  await inTransaction(
    async (tx) => {
      await closeAccount(tx, ownerId)
      await recordAudit(tx, { ownerId, action: 'account_deleted', actor })
    },
    { timeout: 60_000 },
  )
  await runStatement(CANCEL_RUNS, [ownerId])
}

import { type NewAuditEvent, recordAudit } from '../accounts/audit'
import { rememberIdentity } from '../accounts/former-identity'
import { removeMemberIn } from '../accounts/members/change'
import { IdentityProviderId } from '../accounts/shape'
import { afterSlices } from '../credits/slices'
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
const LOCK_ROW = statement({
  name: 'owner_data_lock_row',
  sql: 'SELECT id FROM owner WHERE id = $1 FOR NO KEY UPDATE',
  params: ['int'],
  columns: { id: 'int' },
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

/** Everything of an account that is neither money nor large. */
async function removeRows(tx: Transaction, ownerId: number): Promise<void> {
  const where = { ownerId }
  await tx.member.deleteMany({ where: { accountId: ownerId } })
  await tx.invitation.deleteMany({ where: { accountId: ownerId } })
  await tx.formerMember.deleteMany({ where: { accountId: ownerId } })
  await tx.joinDomain.deleteMany({ where: { accountId: ownerId } })
  await tx.groupRole.deleteMany({ where: { accountId: ownerId } })
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
  await tx.site.updateMany({ where, data: { live: null } })
}

/** The row stays for the books. Throws `not_found` for an account that was closed. */
async function closeAccount(tx: Transaction, id: number): Promise<void> {
  await runIn(tx, CLOSE_KEYS, [id])
  await tx.account.updateMany({
    where: { ownerId: id },
    data: { suspendedFor: SUSPENDED_FOR, suspendedAt: new Date() },
  })
  await removeRows(tx, id)
  await runIn(tx, ANONYMIZE_LOG, [id])
  // What is kept of calls is deleted by retention, as when its owner turns the log off.
  const data = { accountName: null, keepsRequestLog: false, deletedAt: new Date() }
  const { count } = await tx.owner.updateMany({ where: { id, deletedAt: null }, data })
  if (count === 0) throw notFound()
}

/** How somebody signed in, and their part in accounts that stay; the address is free again. */
async function closePerson(tx: Transaction, id: number): Promise<void> {
  await checkOthersOperate(tx, id)
  const owner = await tx.owner.findUniqueOrThrow({ where: { id }, include: { logins: true, memberships: true } })
  for (const { accountId } of owner.memberships) await removeMemberIn(tx, { accountId, personId: id })
  const logins = owner.logins.map(({ provider, subject }) => ({
    provider: IdentityProviderId.parse(provider),
    subject,
  }))
  await rememberIdentity(tx, { email: owner.email, logins })
  const where = { ownerId: id }
  await tx.session.deleteMany({ where })
  await tx.accountLink.deleteMany({ where })
  await tx.passkey.deleteMany({ where })
  await tx.authenticatorApp.deleteMany({ where })
  await tx.recoveryCode.deleteMany({ where })
  await tx.login.deleteMany({ where })
  await tx.formerMember.deleteMany({ where: { personId: id } })
  const stays = owner.deletedAt === null && (await tx.member.count({ where: { accountId: id } })) > 0
  await tx.owner.update({
    where: { id },
    data: {
      email: addressOfDeleted(id),
      name: null,
      passwordHash: null,
      isAdmin: false,
      // An account that others go on with keeps no name of who opened it.
      ...(stays
        ? owner.accountName === null && { accountName: `Account ${id}` }
        : { deletedAt: owner.deletedAt ?? new Date() }),
    },
  })
}

const addressOfDeleted = (id: number): string => `deleted-${id}@deleted.invalid`
const notFound = () => new AppError('not_found', 'There is no such owner.')

/** The person of an owner's row, and the account of it, as far as they are there. */
async function lockRow(tx: Transaction, id: number) {
  await runIn(tx, LOCK_ROW, [id])
  const row = await tx.owner.findUnique({ where: { id }, select: { email: true, deletedAt: true, account: true } })
  if (!row) throw notFound()
  return { hasPerson: row.email !== addressOfDeleted(id), hasAccount: row.account !== null && row.deletedAt === null }
}

type Deletion = { ownerId: number; actor: NewAuditEvent['actor']; decide: Decide }
type Decide = (
  tx: Transaction,
  row: Awaited<ReturnType<typeof lockRow>>,
) => Promise<{ account: boolean; person: boolean }>

async function deleteRow({ ownerId, actor, decide }: Deletion): Promise<void> {
  const close = async (tx: Transaction) => {
    const parts = await decide(tx, await lockRow(tx, ownerId))
    if (!parts.account && !parts.person) throw notFound()
    if (parts.account) await closeAccount(tx, ownerId)
    if (parts.person) await closePerson(tx, ownerId)
    await recordAudit(tx, { ownerId, action: 'account_deleted', actor })
    return parts
  }
  const gone = await afterSlices(inTransaction(close, { timeout: 60_000 }))
  if (gone.account) await runStatement(CANCEL_RUNS, [ownerId])
}

/**
 * Deletes an owner's account and person: keys are revoked, sessions and schedules end, runs are
 * cancelled, and what is stored is deleted, jobs, files and sites by retention within minutes.
 * Calls in progress end and are charged. Ledger, receipts and the audit log stay, without a name
 * or address. Other members lose the account, and the person leaves other accounts. Throws
 * `not_found`, and `conflict` for the last operator, and for the last owner of another account.
 */
export const deleteOwner = (ownerId: number, actor: NewAuditEvent['actor']): Promise<void> =>
  deleteRow({
    ownerId,
    actor,
    decide: async (_tx, { hasPerson, hasAccount }) => ({ person: hasPerson, account: hasAccount }),
  })

/**
 * The same for whoever is signed in: where their account has other owners, it stays to them. Throws
 * as `deleteOwner` does.
 */
export const deletePerson = (ownerId: number, actor: NewAuditEvent['actor']): Promise<void> =>
  deleteRow({
    ownerId,
    actor,
    decide: async (tx, { hasAccount, hasPerson }) => {
      const others = await tx.member.count({ where: { accountId: ownerId, role: 'owner', personId: { not: ownerId } } })
      return { account: hasAccount && others === 0, person: hasPerson }
    },
  })

/** Deletes an account alone: the people who belonged to it stay. Throws `not_found`. */
export const deleteAccount = (ownerId: number, actor: NewAuditEvent['actor']): Promise<void> =>
  deleteRow({ ownerId, actor, decide: async (_tx, { hasAccount }) => ({ account: hasAccount, person: false }) })

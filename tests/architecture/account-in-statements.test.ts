import { loadModule, parse } from 'libpg-query'
import { beforeAll, expect, test } from 'vitest'
import { loadStatements } from '../../server/cli/migrations/load-statements'

// Beyond one primary, tables are distributed by account (docs/guides/scaling.md). A statement that
// names the account of each table it reads or writes runs on the node that has it; any other runs
// on all of them. So each statement does, or is listed here with its reason.

/** Tables whose rows grow with calls and runs, by the column of the account. */
const BY_ACCOUNT = new Set(
  `account budget customer dataset file hold job key ledger mcp_task model_response notice receipt refusal request_hour
  request_log schedule site spend_limit task_delivery turn usage_customer_hour usage_hour usage_key_day usage_key_month
  webhook_delivery`.split(/\s+/),
)

/** Such tables without that column: it has to be added before they are distributed. */
const WITHOUT_ACCOUNT = new Set('answer artifact idempotency key_secret key_use live_step live_text step'.split(' '))

/** Statements that do not name the account of each such table, by why that is so. */
const EXCEPTIONS: Record<string, string> = {
  'Sweeps, deliveries and retention are of all accounts: each node does its own part.': `
    agent_lost_jobs agent_old_outputs_count agent_old_outputs_step
    credits_dead_holds credits_old_holds credits_own_holds credits_void_some deleted_owners_jobs
    deleted_owners_model_responses expired_model_response_delete expired_notices_count expired_notices_delete
    expired_receipts_count expired_receipts_delete expired_refusals_count expired_refusals_delete
    expired_request_counts_count expired_request_counts_delete expired_request_log_delete mcp_task_lost_callbacks
    notice_mails_claim notices_drop_answered notices_keys_expiring notices_limits_refusing notices_schedules_paused old_pods_count
    old_pods_delete refusal_delete_older schedule_due schedule_claim_runs schedule_unanswered schedule_waiting
    settlements_dead site_versions_count site_versions_delete site_versions_lock webhook_claim webhook_claim_task
    webhook_due_owners webhook_old_count webhook_old_delete webhook_task_old_count webhook_task_old_delete
    webhook_write_tasks withdrawn_request_log_delete`,
  'Operators and ledger verify look at all accounts: nodes answer side by side.': `
    operators_claim_state operators_hold_sums operators_last_hour operators_live_runs operators_owner_of_id operators_owners
    operators_processes operators_queue operators_run operators_runs_of_owner operators_traffic_of_hours
    operators_traffic_of_minutes service_gauges statement_refunded verify_conversation_cap verify_conversation_cap_slice
    verify_idempotency_in_progress verify_key_period verify_run_credits verify_run_credits_slice verify_settlement_given_up
    verify_slice_ledger_charges verify_slice_receipt_charges verify_spend_limit_held verify_step_charge
    verify_step_charge_slice verify_stored`,
  'By an id that says all, as the key of a caller does: one index look-up on each node, or a routing table.': `
    agent_is_claimed agent_return_attempt agent_stand agent_undelivered agent_write_live agent_scheduled_report budget_states export_turns export_webhook-deliveries
    files_referred
    journal_unwritten key_grants key_period_use mcp_task_cancel_requested mcp_task_finish mcp_task_lost members_end_management_keys
    owner_data_close_keys request_log_delete_of_owner schedule_ended_runs schedule_run_checks shared_run_artifacts spend_limits still_held
    stored_response webhook_record webhook_record_task`,
}

type Tree = { readonly [name: string]: unknown }
type Named = { relname: string; alias?: { aliasname: string } }

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null

/** Every node below, as its kind and what it has. Nodes of the kind `except` are not entered. */
function* nodesIn(value: unknown, except?: string): Generator<[string, Tree]> {
  if (Array.isArray(value)) for (const each of value) yield* nodesIn(each, except)
  else if (isTree(value))
    for (const [kind, node] of Object.entries(value)) {
      if (isTree(node) && !Array.isArray(node)) yield [kind, node]
      if (kind !== except) yield* nodesIn(node, except)
    }
}

/** What a statement, or a query in it, reads and writes: tables, and the conditions on them. */
function partsOf(kind: string, node: Tree): { from: unknown; where: unknown } | null {
  const target = { RangeVar: node.relation }
  if (kind === 'SelectStmt') return { from: node.fromClause, where: node.whereClause }
  if (kind === 'UpdateStmt') return { from: [target, node.fromClause], where: node.whereClause }
  if (kind === 'DeleteStmt') return { from: [target, node.usingClause], where: node.whereClause }
  return null
}

const columnsIn = (conditions: unknown): string[] =>
  [...nodesIn(conditions, 'SelectStmt')].flatMap(([kind, { fields }]) =>
    kind === 'ColumnRef' && Array.isArray(fields)
      ? [fields.map((field: Tree) => (field.String as { sval?: string } | undefined)?.sval ?? '*').join('.')]
      : [],
  )

const insertsWithout = ({ relation, cols }: Tree): string[] => {
  const { relname } = relation as Named
  const columns = (cols as { ResTarget: { name: string } }[] | undefined) ?? []
  return BY_ACCOUNT.has(relname) && !columns.some(({ ResTarget: { name } }) => name === 'owner_id') ? [relname] : []
}

/** Tables in a statement whose account it does not name. */
async function tablesWithoutAccount(text: string): Promise<string[]> {
  const found: string[] = []
  for (const [kind, node] of nodesIn(await parse(text))) {
    if (kind === 'InsertStmt') found.push(...insertsWithout(node))
    const parts = partsOf(kind, node)
    if (!parts) continue
    const around = [...nodesIn(parts.from, 'SelectStmt')]
    const joined = around.flatMap(([each, join]) => (each === 'JoinExpr' ? [join.quals] : []))
    const columns = columnsIn([parts.where, joined])
    const tables = around.flatMap(([each, table]) => (each === 'RangeVar' ? [table as unknown as Named] : []))
    const wrong = tables.filter(
      ({ relname, alias }) =>
        BY_ACCOUNT.has(relname) &&
        !columns.includes('owner_id') &&
        !columns.includes(`${alias?.aliasname ?? relname}.owner_id`),
    )
    found.push(...wrong.map(({ relname }) => relname))
  }
  return [...new Set(found)]
}

const statements = await loadStatements()

beforeAll(() => loadModule())

test('an account that is missing is noticed in each kind of statement', async () => {
  const without = [
    'SELECT FROM hold h WHERE h.id = $1',
    'SELECT FROM job j JOIN hold h ON h.id = j.id WHERE j.owner_id = $1',
    'WITH x AS (DELETE FROM hold WHERE id = $1 RETURNING id) SELECT FROM x WHERE owner_id = $1',
    'UPDATE hold h SET amount = 1 FROM owner o WHERE o.id = h.key_id',
    'INSERT INTO hold (id) VALUES ($1)',
    'SELECT FROM job j WHERE j.owner_id = $1 AND EXISTS (SELECT FROM hold h WHERE h.id = j.id)',
  ]
  for (const text of without) expect(await tablesWithoutAccount(text), text).toEqual(['hold'])
  const named = 'SELECT FROM job j JOIN hold h ON h.id = j.id AND h.owner_id = j.owner_id WHERE j.owner_id = $1'
  expect(await tablesWithoutAccount(named)).toEqual([])
})

test('each statement on tables that grow with calls names their account, or is listed with its reason', async () => {
  const found = new Set<string>()
  for (const { name, texts } of statements)
    for (const text of texts()) if ((await tablesWithoutAccount(text)).length > 0) found.add(name)
  const listed = Object.values(EXCEPTIONS).flatMap((names) => names.trim().split(/\s+/))
  expect([...found].sort()).toEqual(listed.sort())
})

test('tables that are to get the account do not have it yet', async () => {
  const { readFile } = await import('node:fs/promises')
  const schema = await readFile('prisma/schema.sql', 'utf8')
  const columnsOf = new Map(
    [...schema.matchAll(/^CREATE (?:UNLOGGED )?TABLE (\w+) \(\n([^;]*)/gm)].map(([, name, columns]) => [name, columns]),
  )
  for (const name of BY_ACCOUNT) expect(columnsOf.get(name), name).toMatch(/^ {2}owner_id integer/m)
  for (const name of WITHOUT_ACCOUNT) expect(columnsOf.get(name), name).not.toMatch(/^ {2}owner_id/m)
})

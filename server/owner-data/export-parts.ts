import { RECEIPT_CALL, RECEIPT_CREDITS } from '../credits/shape'
import { statement } from '../kit/statement'

type IdType = 'int' | 'bigint' | 'uuid' | 'text'

/** Before every id of its type. */
export const FIRST_ID: Record<IdType, string> = {
  int: '0',
  bigint: '0',
  uuid: '00000000-0000-0000-0000-000000000000',
  text: '',
}

/** Columns are named one by one: a new one with a secret is not exported by accident. */
type Source = { table: string; columns: string; at?: string; id?: string; idType: IdType }

/** Rows of an owner in a table, oldest first, a page after a position. */
function ownerPart(name: string, { table, columns, at = 'created_at', id = 'id', idType }: Source) {
  const page = statement({
    name: `export_${name}`,
    sql: `SELECT to_jsonb(r)::text AS row, t.${at} AS at, t.${id}::text AS id
      FROM "${table}" t CROSS JOIN LATERAL (SELECT ${columns}) r
      WHERE t.owner_id = $1 AND (t.${at}, t.${id}) > ($2, $3::text::${idType}) ORDER BY t.${at}, t.${id} LIMIT $4::int`,
    params: ['int', 'timestamptz', 'text', 'int'],
    columns: { row: 'text', at: 'timestamptz', id: 'text' },
  })
  return { name, idType, page }
}

/** Rows of some jobs in a table, job by job. */
function jobPart(name: string, { table, columns, id = 'id', idType }: Source) {
  const page = statement({
    name: `export_${name}`,
    sql: `SELECT to_jsonb(r)::text AS row, t.job_id AS "jobId", t.${id}::text AS id
      FROM ${table} t CROSS JOIN LATERAL (SELECT ${columns}) r
      WHERE t.job_id = ANY ($1) AND (t.job_id, t.${id}) > ($2, $3::text::${idType}) ORDER BY t.job_id, t.${id} LIMIT $4::int`,
    params: ['uuid[]', 'uuid', 'text', 'int'],
    columns: { row: 'text', jobId: 'uuid', id: 'text' },
  })
  return { name, idType, page }
}

/** A receipt's columns, named as its fields are. */
const receiptColumns = (): string =>
  Object.entries({ ...RECEIPT_CALL, ...RECEIPT_CREDITS })
    .flatMap(([name, field]) => ('column' in field ? [`t.${field.column} AS ${snakeCase(name)}`] : []))
    .join(', ')

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export type OwnerPart = ReturnType<typeof ownerPart>
export type JobPart = ReturnType<typeof jobPart>

export const JOBS_PART = ownerPart('jobs', {
  table: 'job',
  idType: 'uuid',
  columns: 't.id, t.title, t.status, t.reached_by, t.result, t.awaiting, t.step_count, t.created_at, t.updated_at',
})

/** A file of the export for each, in this order. */
export const OWNER_PARTS: readonly OwnerPart[] = [
  ownerPart('keys', {
    table: 'key',
    idType: 'int',
    columns: `t.id, t.name, t.tags, t.tools, t.all_tools, t.llm, t.allowed_models, t.agent, t.agent_run_budget_credits,
      t.capabilities, t.budget, t.spent, t.period, t.period_budget, t.rpm, t.expires_at, t.revoked_at, t.created_at,
      (SELECT o.email FROM owner o WHERE o.id = t.person_id) AS made_by`,
  }),
  ownerPart('ledger', {
    table: 'ledger',
    at: 'at',
    idType: 'bigint',
    columns: 't.id, t.at, t.amount, t.hold_id AS request_id, t.key_id, t.note',
  }),
  ownerPart('receipts', {
    table: 'receipt',
    at: 'at',
    idType: 'uuid',
    columns: `${receiptColumns()}, t.detail`,
  }),
  ownerPart('request-log', {
    table: 'request_log',
    at: 'at',
    idType: 'uuid',
    columns: `t.id AS request_id, t.at, t.request::json, t.response::json, t.request_truncated, t.response_truncated`,
  }),
  ownerPart('refusals', {
    table: 'refusal',
    at: 'at',
    idType: 'uuid',
    columns: `t.id AS request_id, t.key_id, t.at, t.status, t.code, t.reason, t.message, t.limit_source, t.limit_name,
      t.operation, t.called`,
  }),
  JOBS_PART,
  ownerPart('schedules', {
    table: 'schedule',
    idType: 'uuid',
    columns: `t.id, t.key_id, t.name, t.cron, t.time_zone, t.request, t.notes, t.next_at, t.paused_by, t.paused_reason, t.created_at,
      t.updated_at`,
  }),
  ownerPart('files', {
    table: 'file',
    idType: 'text',
    columns: `t.id, '/files/' || t.id AS path, t.content_type, t.bytes, t.created_at`,
  }),
  ownerPart('sites', {
    table: 'site',
    id: 'slug',
    idType: 'text',
    columns: `t.slug, t.live, t.created_at, (SELECT jsonb_agg(jsonb_build_object('version', v.version,
      'created_at', v.created_at, 'files', v.files) ORDER BY v.version) FROM site_version v WHERE v.slug = t.slug) AS versions`,
  }),
  ownerPart('task-deliveries', {
    table: 'task_delivery',
    idType: 'uuid',
    columns:
      't.id AS task_id, t.url, t.event, t.data, t.status, t.attempts, t.answer_status, t.error, t.created_at, t.delivered_at',
  }),
  ownerPart('notices', {
    table: 'notice',
    idType: 'uuid',
    columns: 't.id, t.kind, t.data, t.created_at',
  }),
  ownerPart('audit-log', {
    table: 'audit_event',
    at: 'at',
    idType: 'bigint',
    columns: 't.at, t.actor_kind, t.actor, t.action, t.subject, t.detail, t.address, t.user_agent',
  }),
]

/** What belongs to jobs, a file each. */
export const JOB_PARTS: readonly JobPart[] = [
  jobPart('turns', {
    table: 'turn',
    id: 'number',
    idType: 'int',
    columns: `t.job_id, t.number, t.run_id, t.key_id, t.goal, t.mode, t.model, t.agent, t.capabilities, t.cap_credits, t.max_credits,
      t.attachments, t.metadata, t.schedule_id, t.output_schema, t.output, t.checks, t.rerun_of, t.from_step, t.callback_url, t.status, t.result, t.created_at, t.ended_at`,
  }),
  jobPart('steps', {
    table: 'step',
    id: 'index',
    idType: 'int',
    columns: `t.job_id, t.index, t.run_id, t.kind, t.name, t.hold_id AS request_id, t.charged, t.input, t.output, t.error,
      t.started_at, t.ended_at`,
  }),
  jobPart('webhook-deliveries', {
    table: 'webhook_delivery',
    idType: 'uuid',
    columns: `t.job_id, t.run_id, t.url, t.event, t.status, t.attempts, t.answer_status, t.error, t.created_at, t.attempted_at,
      t.delivered_at`,
  }),
]

-- The schema that the migrations create, for reading and for comparing. Nothing runs this file.
-- "npm run db:migrate -- dump" writes it, and "-- diff" fails when it is out of date.


CREATE TABLE account (
  owner_id integer NOT NULL,
  available bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0,
  calls integer NOT NULL DEFAULT 0,
  max_rpm integer,
  max_calls integer,
  day_credits bigint,
  day_start timestamp(3) with time zone,
  day_spent bigint NOT NULL DEFAULT 0,
  day_held bigint NOT NULL DEFAULT 0,
  chain bytea,
  suspended_for text,
  suspended_at timestamp(3) with time zone,
  budgets_version integer NOT NULL DEFAULT 0,
  topped_up bigint,
  topped_up_at timestamp(3) with time zone
) WITH (fillfactor=50);

CREATE TABLE account_link (
  hash bytea NOT NULL,
  owner_id integer NOT NULL,
  kind text NOT NULL,
  email text,
  made_by text,
  expires_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE agent_settings (
  owner_id integer NOT NULL,
  default_model text,
  disabled_tools text[],
  database_url bytea,
  database_label text,
  outside_approval text NOT NULL DEFAULT 'ask'::text,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  auto_model boolean NOT NULL DEFAULT false,
  notes text,
  notes_foreign boolean NOT NULL DEFAULT false
);

CREATE TABLE answer (
  job_id uuid NOT NULL,
  index integer NOT NULL,
  approved boolean NOT NULL,
  feedback text,
  key_id integer,
  answered_by text,
  at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  asked jsonb,
  input jsonb,
  scope text
);

CREATE TABLE artifact (
  job_id uuid NOT NULL,
  kind text NOT NULL,
  ref text NOT NULL,
  name text NOT NULL,
  url text,
  index integer NOT NULL
);

CREATE TABLE audit_event (
  id bigint NOT NULL DEFAULT nextval('audit_event_id_seq'::regclass),
  at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  owner_id integer NOT NULL,
  actor_kind text NOT NULL,
  actor text,
  action text NOT NULL,
  subject text,
  detail jsonb,
  address text,
  user_agent text
);

CREATE TABLE authenticator_app (
  owner_id integer NOT NULL,
  secret bytea NOT NULL,
  confirmed_at timestamp(3) with time zone,
  last_step bigint NOT NULL DEFAULT 0
);

CREATE TABLE budget (
  id uuid NOT NULL,
  owner_id integer NOT NULL,
  external_id text,
  name text NOT NULL,
  credits bigint NOT NULL,
  period text,
  scope jsonb NOT NULL,
  alert_at integer[],
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  deleted_at timestamp(3) with time zone,
  rpm integer,
  tpm integer
);

CREATE UNLOGGED TABLE credits_clock (
  id integer NOT NULL,
  seen_at timestamp(3) with time zone NOT NULL,
  up_since timestamp(3) with time zone NOT NULL
);

CREATE TABLE customer (
  id integer NOT NULL DEFAULT nextval('customer_id_seq'::regclass),
  owner_id integer NOT NULL,
  name text,
  hash text NOT NULL,
  suspended_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE dataset (
  owner_id integer NOT NULL,
  name text NOT NULL,
  columns jsonb NOT NULL,
  row_count integer NOT NULL,
  foreign_text boolean NOT NULL DEFAULT false,
  run_id uuid,
  rows bytea NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE deleted_spend (
  limit_id uuid NOT NULL,
  charged bigint NOT NULL
);

CREATE TABLE file (
  id text NOT NULL,
  owner_id integer NOT NULL,
  content_type text NOT NULL,
  bytes integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  name text
);

CREATE TABLE former_identity (
  hash bytea NOT NULL,
  at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE former_member (
  account_id integer NOT NULL,
  person_id integer NOT NULL,
  left_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE group_role (
  account_id integer NOT NULL,
  group_name text NOT NULL,
  role text NOT NULL
);

CREATE TABLE hold (
  id uuid NOT NULL,
  amount bigint NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  holder_id uuid NOT NULL,
  limit_id uuid,
  owner_id integer NOT NULL,
  key_id integer,
  channel text NOT NULL,
  product text NOT NULL,
  what text NOT NULL,
  keeps_answer boolean NOT NULL DEFAULT false,
  customer_id integer,
  limits uuid[],
  calls integer
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);

CREATE TABLE holder (
  id uuid NOT NULL,
  lease_until timestamp(3) with time zone NOT NULL,
  about jsonb
);

CREATE TABLE idempotency (
  key_id integer NOT NULL,
  token text NOT NULL,
  body_hash bytea NOT NULL,
  hold_id uuid NOT NULL,
  status integer,
  answer text,
  charged bigint,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  seal bigint
);

CREATE TABLE idempotency_hour (
  owner_id integer NOT NULL,
  hour timestamp(3) with time zone NOT NULL,
  bytes bigint NOT NULL
);

CREATE TABLE invitation (
  id uuid NOT NULL,
  hash bytea NOT NULL,
  account_id integer NOT NULL,
  role text NOT NULL,
  email text,
  made_by text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE job (
  id uuid NOT NULL,
  owner_id integer NOT NULL,
  title text NOT NULL,
  status text NOT NULL,
  run_id uuid NOT NULL,
  reached_by text,
  result text,
  awaiting jsonb,
  fencing_token integer NOT NULL DEFAULT 0,
  claimed_run_id uuid,
  attempts integer NOT NULL DEFAULT 0,
  holder_id uuid,
  stalls integer NOT NULL DEFAULT 0,
  stalled_at timestamp(3) with time zone,
  step_count integer NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  cached_tokens bigint NOT NULL DEFAULT 0,
  key_id integer,
  mode text,
  origin text,
  credits bigint NOT NULL DEFAULT 0,
  worked_ms bigint NOT NULL DEFAULT 0,
  words tsvector,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  raised_cap_credits bigint
) WITH (fillfactor=50);

CREATE TABLE join_domain (
  domain text NOT NULL,
  account_id integer NOT NULL,
  role text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE key (
  id integer NOT NULL DEFAULT nextval('key_id_seq'::regclass),
  owner_id integer NOT NULL,
  name text NOT NULL,
  tools text[],
  all_tools boolean NOT NULL DEFAULT false,
  llm boolean NOT NULL DEFAULT false,
  allowed_models text[],
  agent boolean NOT NULL DEFAULT false,
  agent_run_budget_credits bigint NOT NULL DEFAULT 5000,
  capabilities text[],
  budget bigint,
  spent bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0,
  period text,
  period_budget bigint,
  period_start timestamp(3) with time zone,
  period_end timestamp(3) with time zone,
  period_spent bigint NOT NULL DEFAULT 0,
  period_held bigint NOT NULL DEFAULT 0,
  tags text[] DEFAULT ARRAY[]::text[],
  rpm integer NOT NULL DEFAULT 60,
  grants_version integer NOT NULL DEFAULT 1,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  strict boolean NOT NULL DEFAULT false,
  customer_id integer,
  external_id text,
  management jsonb,
  names_customers boolean NOT NULL DEFAULT false,
  response_days integer,
  person_id integer
) WITH (fillfactor=50);

CREATE TABLE key_client (
  key_id integer NOT NULL,
  client_id text NOT NULL,
  name text NOT NULL,
  redirect_uri text NOT NULL
);

CREATE TABLE key_secret (
  hash bytea NOT NULL,
  key_id integer NOT NULL,
  last4 text NOT NULL,
  expires_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE UNLOGGED TABLE key_use (
  key_id integer NOT NULL,
  used_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE ledger (
  id bigint NOT NULL DEFAULT nextval('ledger_id_seq'::regclass),
  at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  amount bigint NOT NULL,
  hold_id uuid,
  owner_id integer NOT NULL,
  key_id integer,
  note text
);

CREATE UNLOGGED TABLE live_step (
  job_id uuid NOT NULL,
  index integer NOT NULL,
  run_id uuid NOT NULL,
  fencing_token integer NOT NULL,
  attempt_id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  input jsonb,
  note text,
  started_at timestamp(3) with time zone NOT NULL
);

CREATE UNLOGGED TABLE live_text (
  attempt_id uuid NOT NULL,
  part integer NOT NULL,
  kind text NOT NULL,
  name text,
  text text NOT NULL,
  written_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE login (
  provider text NOT NULL,
  subject text NOT NULL,
  owner_id integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  email text
);

CREATE TABLE management_answer (
  key_id integer NOT NULL,
  token text NOT NULL,
  body_hash bytea NOT NULL,
  answer bytea NOT NULL,
  at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE mcp_task (
  id uuid NOT NULL,
  owner_id integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ended_at timestamp(3) with time zone,
  is_cancelled boolean NOT NULL DEFAULT false,
  holder_id uuid NOT NULL,
  is_lost boolean NOT NULL DEFAULT false,
  result jsonb,
  awaits_callback boolean NOT NULL DEFAULT false,
  callback_url text,
  tool text,
  cancel_requested boolean NOT NULL DEFAULT false
);

CREATE TABLE member (
  account_id integer NOT NULL,
  person_id integer NOT NULL,
  role text NOT NULL,
  by_groups boolean NOT NULL DEFAULT false,
  joined_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  chosen_at timestamp(3) with time zone,
  views jsonb
);

CREATE TABLE model_response (
  id uuid NOT NULL,
  owner_id integer NOT NULL,
  kind text NOT NULL,
  previous_id uuid,
  conversation_id uuid,
  item_ids text[],
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamp(3) with time zone NOT NULL,
  is_ended boolean NOT NULL DEFAULT true,
  cancelled_at timestamp(3) with time zone,
  body bytea NOT NULL,
  bytes integer NOT NULL
);

CREATE TABLE notice (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  owner_id integer NOT NULL,
  kind text NOT NULL,
  subject text,
  data jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  announced_at timestamp(3) with time zone
);

CREATE TABLE notice_mail (
  notice_id uuid NOT NULL,
  person_id integer NOT NULL,
  due_at timestamp(3) with time zone NOT NULL,
  attempts integer NOT NULL DEFAULT 0
);

CREATE TABLE notice_reader (
  owner_id integer NOT NULL,
  person_id integer NOT NULL,
  read_until timestamp(3) with time zone,
  mail jsonb NOT NULL DEFAULT '{}'::jsonb
);

CREATE TABLE notice_settings (
  owner_id integer NOT NULL,
  alert_at integer[] DEFAULT ARRAY[50, 80, 100],
  callback_url text,
  kinds text[]
);

CREATE TABLE oauth_client (
  id uuid NOT NULL,
  name text NOT NULL,
  redirect_uris text[],
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  allowed_at timestamp(3) with time zone
);

CREATE TABLE oauth_code (
  hash bytea NOT NULL,
  owner_id integer NOT NULL,
  client_id text NOT NULL,
  client_name text NOT NULL,
  redirect_uri text NOT NULL,
  challenge text NOT NULL,
  settings jsonb NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  used_at timestamp(3) with time zone,
  replayed_at timestamp(3) with time zone,
  key_id integer,
  person_id integer
);

CREATE TABLE oauth_refresh_token (
  hash bytea NOT NULL,
  key_id integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamp(3) with time zone NOT NULL,
  used_at timestamp(3) with time zone
);

CREATE TABLE owner (
  id integer NOT NULL DEFAULT nextval('owner_id_seq'::regclass),
  email text NOT NULL,
  name text,
  password_hash text,
  is_admin boolean NOT NULL DEFAULT false,
  time_zone text NOT NULL DEFAULT 'UTC'::text,
  confirm_above bigint DEFAULT 500,
  keeps_request_log boolean NOT NULL DEFAULT false,
  deleted_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  time_zone_chosen boolean NOT NULL DEFAULT false,
  account_name text,
  requires_factor boolean NOT NULL DEFAULT false
);

CREATE TABLE passkey (
  id text NOT NULL,
  owner_id integer NOT NULL,
  name text NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[],
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  used_at timestamp(3) with time zone
);

CREATE TABLE passkey_challenge (
  hash bytea NOT NULL,
  purpose text NOT NULL,
  owner_id integer,
  expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE pod (
  job_id uuid NOT NULL,
  owner_id integer NOT NULL,
  files bytea NOT NULL,
  cwd text NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE UNLOGGED TABLE rate_window (
  id text NOT NULL,
  started_at timestamp(3) with time zone NOT NULL,
  count integer NOT NULL
) WITH (fillfactor=50);

CREATE TABLE receipt (
  id uuid NOT NULL,
  at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  started_at timestamp(3) with time zone NOT NULL,
  held bigint NOT NULL,
  charged bigint NOT NULL,
  limit_id uuid,
  owner_id integer NOT NULL,
  key_id integer,
  status text NOT NULL,
  channel text NOT NULL,
  product text NOT NULL,
  what text NOT NULL,
  detail jsonb,
  seal bigint NOT NULL,
  customer_id integer
);

CREATE TABLE recovery_code (
  hash bytea NOT NULL,
  owner_id integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE refusal (
  id uuid NOT NULL,
  owner_id integer NOT NULL,
  key_id integer NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  status integer NOT NULL,
  code text NOT NULL,
  reason text NOT NULL,
  message text NOT NULL,
  limit_source text,
  limit_name text,
  operation text NOT NULL,
  called text
);

CREATE UNLOGGED TABLE request_hour (
  hour timestamp(3) with time zone NOT NULL,
  owner_id integer NOT NULL,
  key_id integer NOT NULL,
  status integer NOT NULL,
  requests bigint NOT NULL,
  ms bigint NOT NULL,
  slowest_ms integer NOT NULL,
  limit_name text NOT NULL DEFAULT ''::text
);

CREATE TABLE request_log (
  id uuid NOT NULL,
  owner_id integer NOT NULL,
  at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  request text NOT NULL,
  response text NOT NULL,
  request_truncated boolean NOT NULL DEFAULT false,
  response_truncated boolean NOT NULL DEFAULT false
);

CREATE TABLE retention (
  name text NOT NULL,
  started_at timestamp(3) with time zone,
  cutoff timestamp(3) with time zone,
  days integer,
  deleted timestamp(3) with time zone,
  cursor text
);

CREATE TABLE schedule (
  id uuid NOT NULL,
  owner_id integer NOT NULL,
  key_id integer NOT NULL,
  name text NOT NULL,
  cron text NOT NULL,
  time_zone text NOT NULL,
  request jsonb NOT NULL,
  next_at timestamp(3) with time zone,
  failures integer NOT NULL DEFAULT 0,
  paused_by text,
  paused_reason text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  answer_no_hours integer,
  when_waiting text,
  attachments jsonb,
  notes text,
  notes_foreign boolean NOT NULL DEFAULT false
);

CREATE TABLE schedule_run (
  schedule_id uuid NOT NULL,
  due_at timestamp(3) with time zone NOT NULL,
  is_manual boolean NOT NULL DEFAULT false,
  state text NOT NULL,
  job_id uuid,
  run_id uuid,
  reason text,
  attempts integer NOT NULL DEFAULT 0,
  attempt_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  is_queued boolean NOT NULL DEFAULT false
);

CREATE TABLE schema_compatibility (
  id integer NOT NULL,
  compatible_from text NOT NULL
);

CREATE TABLE session (
  id uuid NOT NULL,
  owner_id integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamp(3) with time zone NOT NULL,
  address text,
  user_agent text,
  used_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  verified_at timestamp(3) with time zone,
  account_id integer,
  issuer_factor boolean NOT NULL DEFAULT false
);

CREATE TABLE settlement_dead (
  id uuid NOT NULL,
  owner_id integer NOT NULL,
  request jsonb NOT NULL,
  error text NOT NULL,
  attempts integer NOT NULL,
  at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE sign_up_link (
  hash bytea NOT NULL,
  email text NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE site (
  slug text NOT NULL,
  owner_id integer NOT NULL,
  live integer,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE site_version (
  slug text NOT NULL,
  version integer NOT NULL,
  files jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  preview text
);

CREATE TABLE spend_limit (
  id uuid NOT NULL,
  owner_id integer NOT NULL,
  cap bigint NOT NULL,
  spent bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0,
  budget_id uuid,
  customer_id integer,
  ends_at timestamp(3) with time zone,
  name text,
  period text,
  starts_at timestamp(3) with time zone
) WITH (fillfactor=50);

CREATE TABLE step (
  job_id uuid NOT NULL,
  index integer NOT NULL,
  run_id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  hold_id uuid,
  fencing_token integer NOT NULL DEFAULT 0,
  charged bigint NOT NULL DEFAULT 0,
  input jsonb,
  output jsonb,
  error jsonb,
  started_at timestamp(3) with time zone NOT NULL,
  ended_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE task_delivery (
  id uuid NOT NULL,
  owner_id integer NOT NULL,
  url text NOT NULL,
  host text NOT NULL,
  event text NOT NULL,
  data jsonb NOT NULL,
  status text NOT NULL DEFAULT 'pending'::text,
  attempts integer NOT NULL DEFAULT 0,
  round_attempts integer NOT NULL DEFAULT 0,
  due_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  claimed_until timestamp(3) with time zone,
  answer_status integer,
  answer_body text,
  error text,
  attempted_at timestamp(3) with time zone,
  delivered_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE turn (
  run_id uuid NOT NULL,
  job_id uuid NOT NULL,
  owner_id integer NOT NULL,
  number integer NOT NULL,
  key_id integer NOT NULL,
  idempotency_key text NOT NULL,
  goal text NOT NULL,
  mode text NOT NULL,
  model text NOT NULL,
  agent text NOT NULL,
  capabilities text[],
  cap_credits bigint NOT NULL,
  history_turn_limit integer,
  output_schema jsonb,
  output jsonb,
  callback_url text,
  origin text NOT NULL,
  started_by text,
  cancelled_by text,
  cancelled_key_id integer,
  traceparent text,
  status text NOT NULL,
  result text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ended_at timestamp(3) with time zone,
  attachments jsonb,
  max_credits bigint,
  metadata jsonb,
  schedule_id uuid,
  stop_at_credits bigint,
  summary_model text,
  customer_id integer,
  permissions jsonb,
  person_id integer,
  share_shows jsonb,
  share_token text,
  memory boolean,
  checks jsonb,
  from_step integer,
  rerun_of uuid
);

CREATE TABLE usage_customer_hour (
  owner_id integer NOT NULL,
  hour timestamp(3) with time zone NOT NULL,
  customer_id integer NOT NULL,
  key_id integer NOT NULL,
  product text NOT NULL,
  what text NOT NULL,
  calls bigint NOT NULL,
  charged bigint NOT NULL
);

CREATE TABLE usage_hour (
  owner_id integer NOT NULL,
  key_id integer NOT NULL,
  hour timestamp(3) with time zone NOT NULL,
  channel text NOT NULL,
  product text NOT NULL,
  what text NOT NULL,
  outcome text NOT NULL,
  calls bigint NOT NULL,
  charged bigint NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL
);

CREATE TABLE usage_key_day (
  owner_id integer NOT NULL,
  day date NOT NULL,
  key_id integer NOT NULL,
  calls bigint NOT NULL,
  charged bigint NOT NULL
);

CREATE TABLE usage_key_month (
  owner_id integer NOT NULL,
  month date NOT NULL,
  key_id integer NOT NULL,
  calls bigint NOT NULL,
  charged bigint NOT NULL
);

CREATE TABLE usage_summed (
  id integer NOT NULL,
  until timestamp(3) with time zone NOT NULL
);

CREATE UNLOGGED TABLE watched_job (
  job_id uuid NOT NULL,
  until timestamp(3) with time zone NOT NULL
);

CREATE TABLE webhook_delivery (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  job_id uuid NOT NULL,
  run_id uuid NOT NULL,
  owner_id integer NOT NULL,
  url text NOT NULL,
  host text NOT NULL,
  event text NOT NULL,
  awaiting jsonb,
  spent bigint NOT NULL,
  status text NOT NULL DEFAULT 'pending'::text,
  attempts integer NOT NULL DEFAULT 0,
  round_attempts integer NOT NULL DEFAULT 0,
  due_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  claimed_until timestamp(3) with time zone,
  answer_status integer,
  answer_body text,
  error text,
  attempted_at timestamp(3) with time zone,
  delivered_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  dismissed_at timestamp(3) with time zone
);

CREATE TABLE webhook_secret (
  owner_id integer NOT NULL,
  salt uuid NOT NULL,
  previous_salt uuid,
  previous_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE welcome (
  owner_id integer NOT NULL,
  done text[],
  is_hidden boolean NOT NULL DEFAULT false,
  example_key_id integer
);

ALTER TABLE account ADD CONSTRAINT account_available_check CHECK ((available >= 0));
ALTER TABLE account ADD CONSTRAINT account_day_check CHECK ((((day_credits IS NULL) = (day_start IS NULL)) AND (day_credits >= 0) AND (day_spent >= 0) AND (day_held >= 0) AND (max_rpm > 0) AND (max_calls > 0)));
ALTER TABLE account ADD CONSTRAINT account_held_check CHECK ((held >= 0));
ALTER TABLE account ADD CONSTRAINT account_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE account ADD CONSTRAINT account_pkey PRIMARY KEY (owner_id);
ALTER TABLE account_link ADD CONSTRAINT account_link_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE account_link ADD CONSTRAINT account_link_pkey PRIMARY KEY (hash);
ALTER TABLE agent_settings ADD CONSTRAINT agent_settings_outside_approval_check CHECK ((outside_approval = ANY (ARRAY['ask'::text, 'always'::text, 'never'::text])));
ALTER TABLE agent_settings ADD CONSTRAINT agent_settings_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE agent_settings ADD CONSTRAINT agent_settings_pkey PRIMARY KEY (owner_id);
ALTER TABLE answer ADD CONSTRAINT answer_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE answer ADD CONSTRAINT answer_pkey PRIMARY KEY (job_id, index);
ALTER TABLE artifact ADD CONSTRAINT artifact_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE artifact ADD CONSTRAINT artifact_pkey PRIMARY KEY (job_id, kind, ref);
ALTER TABLE audit_event ADD CONSTRAINT audit_event_pkey PRIMARY KEY (id);
ALTER TABLE authenticator_app ADD CONSTRAINT authenticator_app_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE authenticator_app ADD CONSTRAINT authenticator_app_pkey PRIMARY KEY (owner_id);
ALTER TABLE budget ADD CONSTRAINT budget_check CHECK (((credits >= 0) AND (period = ANY (ARRAY['day'::text, 'week'::text, 'month'::text]))));
ALTER TABLE budget ADD CONSTRAINT budget_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE budget ADD CONSTRAINT budget_pkey PRIMARY KEY (id);
ALTER TABLE credits_clock ADD CONSTRAINT credits_clock_pkey PRIMARY KEY (id);
ALTER TABLE customer ADD CONSTRAINT customer_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE customer ADD CONSTRAINT customer_pkey PRIMARY KEY (id);
ALTER TABLE dataset ADD CONSTRAINT dataset_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE dataset ADD CONSTRAINT dataset_pkey PRIMARY KEY (owner_id, name);
ALTER TABLE deleted_spend ADD CONSTRAINT deleted_spend_limit_id_fkey FOREIGN KEY (limit_id) REFERENCES spend_limit(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE deleted_spend ADD CONSTRAINT deleted_spend_pkey PRIMARY KEY (limit_id);
ALTER TABLE file ADD CONSTRAINT file_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE file ADD CONSTRAINT file_pkey PRIMARY KEY (id);
ALTER TABLE former_identity ADD CONSTRAINT former_identity_pkey PRIMARY KEY (hash);
ALTER TABLE former_member ADD CONSTRAINT former_member_account_id_fkey FOREIGN KEY (account_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE former_member ADD CONSTRAINT former_member_person_id_fkey FOREIGN KEY (person_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE former_member ADD CONSTRAINT former_member_pkey PRIMARY KEY (account_id, person_id);
ALTER TABLE group_role ADD CONSTRAINT group_role_account_id_fkey FOREIGN KEY (account_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE group_role ADD CONSTRAINT group_role_pkey PRIMARY KEY (account_id, group_name);
ALTER TABLE hold ADD CONSTRAINT hold_amount_check CHECK ((amount >= 0));
ALTER TABLE hold ADD CONSTRAINT hold_pkey PRIMARY KEY (id);
ALTER TABLE holder ADD CONSTRAINT holder_pkey PRIMARY KEY (id);
ALTER TABLE idempotency ADD CONSTRAINT idempotency_seal_check CHECK (((status IS NULL) = (seal IS NULL)));
ALTER TABLE idempotency ADD CONSTRAINT idempotency_pkey PRIMARY KEY (key_id, token);
ALTER TABLE idempotency_hour ADD CONSTRAINT idempotency_hour_pkey PRIMARY KEY (owner_id, hour);
ALTER TABLE invitation ADD CONSTRAINT invitation_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'billing'::text, 'viewer'::text])));
ALTER TABLE invitation ADD CONSTRAINT invitation_account_id_fkey FOREIGN KEY (account_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE invitation ADD CONSTRAINT invitation_pkey PRIMARY KEY (id);
ALTER TABLE job ADD CONSTRAINT job_check CHECK (((status = 'awaiting_input'::text) = (awaiting IS NOT NULL)));
ALTER TABLE job ADD CONSTRAINT job_status_check CHECK ((status = ANY (ARRAY['running'::text, 'awaiting_input'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])));
ALTER TABLE job ADD CONSTRAINT job_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE job ADD CONSTRAINT job_pkey PRIMARY KEY (id);
ALTER TABLE join_domain ADD CONSTRAINT join_domain_account_id_fkey FOREIGN KEY (account_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE join_domain ADD CONSTRAINT join_domain_pkey PRIMARY KEY (domain);
ALTER TABLE key ADD CONSTRAINT key_check CHECK (((budget IS NULL) OR ((spent + held) <= budget)));
ALTER TABLE key ADD CONSTRAINT key_held_check CHECK ((held >= 0));
ALTER TABLE key ADD CONSTRAINT key_period_check CHECK ((((period IS NULL) = (period_budget IS NULL)) AND ((period IS NULL) = (period_start IS NULL)) AND ((period IS NULL) = (period_end IS NULL)) AND (period = ANY (ARRAY['day'::text, 'week'::text, 'month'::text])) AND (period_start < period_end) AND (period_spent >= 0) AND (period_held >= 0) AND ((period_spent + period_held) <= period_budget)));
ALTER TABLE key ADD CONSTRAINT key_spent_check CHECK ((spent >= 0));
ALTER TABLE key ADD CONSTRAINT key_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE key ADD CONSTRAINT key_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE key ADD CONSTRAINT key_person_id_fkey FOREIGN KEY (person_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE key ADD CONSTRAINT key_pkey PRIMARY KEY (id);
ALTER TABLE key_client ADD CONSTRAINT key_client_key_id_fkey FOREIGN KEY (key_id) REFERENCES key(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE key_client ADD CONSTRAINT key_client_pkey PRIMARY KEY (key_id);
ALTER TABLE key_secret ADD CONSTRAINT key_secret_key_id_fkey FOREIGN KEY (key_id) REFERENCES key(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE key_secret ADD CONSTRAINT key_secret_pkey PRIMARY KEY (hash);
ALTER TABLE key_use ADD CONSTRAINT key_use_pkey PRIMARY KEY (key_id);
ALTER TABLE ledger ADD CONSTRAINT ledger_pkey PRIMARY KEY (id);
ALTER TABLE live_step ADD CONSTRAINT live_step_pkey PRIMARY KEY (job_id, index);
ALTER TABLE live_text ADD CONSTRAINT live_text_pkey PRIMARY KEY (attempt_id, part);
ALTER TABLE login ADD CONSTRAINT login_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE login ADD CONSTRAINT login_pkey PRIMARY KEY (provider, subject);
ALTER TABLE management_answer ADD CONSTRAINT management_answer_key_id_fkey FOREIGN KEY (key_id) REFERENCES key(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE management_answer ADD CONSTRAINT management_answer_pkey PRIMARY KEY (key_id, token);
ALTER TABLE mcp_task ADD CONSTRAINT mcp_task_pkey PRIMARY KEY (id);
ALTER TABLE member ADD CONSTRAINT member_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'billing'::text, 'viewer'::text])));
ALTER TABLE member ADD CONSTRAINT member_account_id_fkey FOREIGN KEY (account_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE member ADD CONSTRAINT member_person_id_fkey FOREIGN KEY (person_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE member ADD CONSTRAINT member_pkey PRIMARY KEY (account_id, person_id);
ALTER TABLE model_response ADD CONSTRAINT model_response_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE model_response ADD CONSTRAINT model_response_pkey PRIMARY KEY (id);
ALTER TABLE notice ADD CONSTRAINT notice_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE notice ADD CONSTRAINT notice_pkey PRIMARY KEY (id);
ALTER TABLE notice_mail ADD CONSTRAINT notice_mail_notice_id_fkey FOREIGN KEY (notice_id) REFERENCES notice(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE notice_mail ADD CONSTRAINT notice_mail_pkey PRIMARY KEY (notice_id, person_id);
ALTER TABLE notice_reader ADD CONSTRAINT notice_reader_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE notice_reader ADD CONSTRAINT notice_reader_pkey PRIMARY KEY (owner_id, person_id);
ALTER TABLE notice_settings ADD CONSTRAINT notice_settings_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE notice_settings ADD CONSTRAINT notice_settings_pkey PRIMARY KEY (owner_id);
ALTER TABLE oauth_client ADD CONSTRAINT oauth_client_pkey PRIMARY KEY (id);
ALTER TABLE oauth_code ADD CONSTRAINT oauth_code_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE oauth_code ADD CONSTRAINT oauth_code_pkey PRIMARY KEY (hash);
ALTER TABLE oauth_refresh_token ADD CONSTRAINT oauth_refresh_token_key_id_fkey FOREIGN KEY (key_id) REFERENCES key(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE oauth_refresh_token ADD CONSTRAINT oauth_refresh_token_pkey PRIMARY KEY (hash);
ALTER TABLE owner ADD CONSTRAINT owner_pkey PRIMARY KEY (id);
ALTER TABLE passkey ADD CONSTRAINT passkey_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE passkey ADD CONSTRAINT passkey_pkey PRIMARY KEY (id);
ALTER TABLE passkey_challenge ADD CONSTRAINT passkey_challenge_pkey PRIMARY KEY (hash);
ALTER TABLE pod ADD CONSTRAINT pod_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE pod ADD CONSTRAINT pod_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE pod ADD CONSTRAINT pod_pkey PRIMARY KEY (job_id);
ALTER TABLE rate_window ADD CONSTRAINT rate_window_pkey PRIMARY KEY (id);
ALTER TABLE receipt ADD CONSTRAINT receipt_charged_check CHECK ((charged >= 0));
ALTER TABLE receipt ADD CONSTRAINT receipt_status_check CHECK ((status = ANY (ARRAY['ok'::text, 'failed'::text, 'void'::text, 'expired'::text])));
ALTER TABLE receipt ADD CONSTRAINT receipt_pkey PRIMARY KEY (id);
ALTER TABLE recovery_code ADD CONSTRAINT recovery_code_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE recovery_code ADD CONSTRAINT recovery_code_pkey PRIMARY KEY (hash);
ALTER TABLE refusal ADD CONSTRAINT refusal_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE refusal ADD CONSTRAINT refusal_pkey PRIMARY KEY (id);
ALTER TABLE request_hour ADD CONSTRAINT request_hour_pkey PRIMARY KEY (hour, owner_id, key_id, status, limit_name);
ALTER TABLE request_log ADD CONSTRAINT request_log_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE request_log ADD CONSTRAINT request_log_pkey PRIMARY KEY (id);
ALTER TABLE retention ADD CONSTRAINT retention_pkey PRIMARY KEY (name);
ALTER TABLE schedule ADD CONSTRAINT schedule_key_id_fkey FOREIGN KEY (key_id) REFERENCES key(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE schedule ADD CONSTRAINT schedule_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE schedule ADD CONSTRAINT schedule_pkey PRIMARY KEY (id);
ALTER TABLE schedule_run ADD CONSTRAINT schedule_run_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES schedule(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE schedule_run ADD CONSTRAINT schedule_run_pkey PRIMARY KEY (schedule_id, due_at);
ALTER TABLE schema_compatibility ADD CONSTRAINT schema_compatibility_pkey PRIMARY KEY (id);
ALTER TABLE session ADD CONSTRAINT session_account_id_owner_id_fkey FOREIGN KEY (account_id, owner_id) REFERENCES member(account_id, person_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE session ADD CONSTRAINT session_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE session ADD CONSTRAINT session_pkey PRIMARY KEY (id);
ALTER TABLE settlement_dead ADD CONSTRAINT settlement_dead_pkey PRIMARY KEY (id);
ALTER TABLE sign_up_link ADD CONSTRAINT sign_up_link_pkey PRIMARY KEY (hash);
ALTER TABLE site ADD CONSTRAINT site_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE site ADD CONSTRAINT site_pkey PRIMARY KEY (slug);
ALTER TABLE site_version ADD CONSTRAINT site_version_slug_fkey FOREIGN KEY (slug) REFERENCES site(slug) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE site_version ADD CONSTRAINT site_version_pkey PRIMARY KEY (slug, version);
ALTER TABLE spend_limit ADD CONSTRAINT spend_limit_check CHECK (((budget_id IS NOT NULL) OR ((spent + held) <= cap)));
ALTER TABLE spend_limit ADD CONSTRAINT spend_limit_held_check CHECK ((held >= 0));
ALTER TABLE spend_limit ADD CONSTRAINT spend_limit_spent_check CHECK ((spent >= 0));
ALTER TABLE spend_limit ADD CONSTRAINT spend_limit_budget_id_fkey FOREIGN KEY (budget_id) REFERENCES budget(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE spend_limit ADD CONSTRAINT spend_limit_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE spend_limit ADD CONSTRAINT spend_limit_pkey PRIMARY KEY (id);
ALTER TABLE step ADD CONSTRAINT step_charged_check CHECK ((charged >= 0));
ALTER TABLE step ADD CONSTRAINT step_kind_check CHECK ((kind = ANY (ARRAY['model'::text, 'tool'::text, 'question'::text, 'plan'::text, 'summary'::text, 'wrap_up'::text])));
ALTER TABLE step ADD CONSTRAINT step_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE step ADD CONSTRAINT step_pkey PRIMARY KEY (job_id, index);
ALTER TABLE task_delivery ADD CONSTRAINT task_delivery_pkey PRIMARY KEY (id);
ALTER TABLE turn ADD CONSTRAINT turn_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE turn ADD CONSTRAINT turn_pkey PRIMARY KEY (run_id);
ALTER TABLE usage_customer_hour ADD CONSTRAINT usage_customer_hour_pkey PRIMARY KEY (owner_id, hour, customer_id, key_id, product, what);
ALTER TABLE usage_hour ADD CONSTRAINT usage_hour_pkey PRIMARY KEY (owner_id, key_id, hour, channel, product, what, outcome);
ALTER TABLE usage_key_day ADD CONSTRAINT usage_key_day_pkey PRIMARY KEY (owner_id, day, key_id);
ALTER TABLE usage_key_month ADD CONSTRAINT usage_key_month_pkey PRIMARY KEY (owner_id, month, key_id);
ALTER TABLE usage_summed ADD CONSTRAINT usage_summed_pkey PRIMARY KEY (id);
ALTER TABLE watched_job ADD CONSTRAINT watched_job_pkey PRIMARY KEY (job_id);
ALTER TABLE webhook_delivery ADD CONSTRAINT webhook_delivery_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE webhook_delivery ADD CONSTRAINT webhook_delivery_pkey PRIMARY KEY (id);
ALTER TABLE webhook_secret ADD CONSTRAINT webhook_secret_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE webhook_secret ADD CONSTRAINT webhook_secret_pkey PRIMARY KEY (owner_id);
ALTER TABLE welcome ADD CONSTRAINT welcome_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE welcome ADD CONSTRAINT welcome_pkey PRIMARY KEY (owner_id);

CREATE INDEX account_link_expires_at_idx ON public.account_link USING btree (expires_at);
CREATE INDEX account_link_owner_id_idx ON public.account_link USING btree (owner_id);
CREATE INDEX artifact_ref_idx ON public.artifact USING btree (ref);
CREATE INDEX audit_event_operators_idx ON public.audit_event USING btree (id) WHERE (actor_kind = 'operator'::text);
CREATE INDEX audit_event_owner_id_id_idx ON public.audit_event USING btree (owner_id, id);
CREATE INDEX budget_owner_id_created_at_idx ON public.budget USING btree (owner_id, created_at);
CREATE UNIQUE INDEX budget_owner_id_external_id_key ON public.budget USING btree (owner_id, external_id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX customer_owner_id_name_key ON public.customer USING btree (owner_id, name);
CREATE INDEX customer_suspended ON public.customer USING btree (owner_id) WHERE (suspended_at IS NOT NULL);
CREATE INDEX file_owner_id_created_at_idx ON public.file USING btree (owner_id, created_at);
CREATE INDEX former_member_person_id_idx ON public.former_member USING btree (person_id);
CREATE INDEX hold_holder_id_idx ON public.hold USING btree (holder_id);
CREATE INDEX hold_limit_id_idx ON public.hold USING btree (limit_id) WHERE (limit_id IS NOT NULL);
CREATE UNIQUE INDEX idempotency_hold_id_key ON public.idempotency USING btree (hold_id);
CREATE INDEX idempotency_key_id_created_at_idx ON public.idempotency USING btree (key_id, created_at);
CREATE INDEX invitation_account_id_created_at_idx ON public.invitation USING btree (account_id, created_at);
CREATE INDEX invitation_expires_at_idx ON public.invitation USING btree (expires_at);
CREATE UNIQUE INDEX invitation_hash_key ON public.invitation USING btree (hash);
CREATE INDEX job_live_idx ON public.job USING btree (status, holder_id) WHERE (status = ANY (ARRAY['running'::text, 'awaiting_input'::text]));
CREATE INDEX job_owner_id_created_at_id_idx ON public.job USING btree (owner_id, created_at, id);
CREATE INDEX job_owner_id_credits_id_idx ON public.job USING btree (owner_id, credits, id);
CREATE INDEX job_owner_id_status_created_at_id_idx ON public.job USING btree (owner_id, status, created_at, id);
CREATE INDEX job_owner_id_worked_ms_id_idx ON public.job USING btree (owner_id, worked_ms, id);
CREATE INDEX job_words_idx ON public.job USING gin (words);
CREATE INDEX join_domain_account_id_idx ON public.join_domain USING btree (account_id);
CREATE UNIQUE INDEX key_external_id ON public.key USING btree (owner_id, external_id) WHERE (revoked_at IS NULL);
CREATE INDEX key_owner_id_created_at_idx ON public.key USING btree (owner_id, created_at);
CREATE INDEX key_secret_key_id_idx ON public.key_secret USING btree (key_id);
CREATE UNIQUE INDEX ledger_charge_key ON public.ledger USING btree (hold_id) WHERE (amount < 0);
CREATE INDEX ledger_owner_id_at_entry_idx ON public.ledger USING btree (owner_id, at, id) WHERE ((hold_id IS NULL) OR (amount > 0));
CREATE INDEX ledger_owner_id_at_idx ON public.ledger USING btree (owner_id, at);
CREATE UNIQUE INDEX ledger_refund_key ON public.ledger USING btree (hold_id) WHERE (amount > 0);
CREATE INDEX login_owner_id_idx ON public.login USING btree (owner_id);
CREATE INDEX management_answer_at_idx ON public.management_answer USING btree (at);
CREATE INDEX mcp_task_awaits_callback ON public.mcp_task USING btree (created_at) WHERE awaits_callback;
CREATE INDEX mcp_task_created_at_idx ON public.mcp_task USING btree (created_at);
CREATE INDEX mcp_task_owner_id_created_at_idx ON public.mcp_task USING btree (owner_id, created_at);
CREATE INDEX member_person_id_idx ON public.member USING btree (person_id);
CREATE INDEX model_response_conversation_id_created_at_id_idx ON public.model_response USING btree (conversation_id, created_at, id);
CREATE INDEX model_response_expires_at_idx ON public.model_response USING btree (expires_at);
CREATE INDEX model_response_item_ids_idx ON public.model_response USING gin (item_ids);
CREATE INDEX model_response_owner_id_created_at_id_idx ON public.model_response USING btree (owner_id, created_at, id);
CREATE INDEX notice_created_at_idx ON public.notice USING btree (created_at);
CREATE INDEX notice_mail_due_at_idx ON public.notice_mail USING btree (due_at);
CREATE INDEX notice_owner_id_created_at_id_idx ON public.notice USING btree (owner_id, created_at, id);
CREATE UNIQUE INDEX notice_owner_id_subject_key ON public.notice USING btree (owner_id, subject);
CREATE INDEX notice_unannounced ON public.notice USING btree (created_at) WHERE (announced_at IS NULL);
CREATE INDEX oauth_client_allowed_at_created_at_idx ON public.oauth_client USING btree (allowed_at, created_at);
CREATE INDEX oauth_code_expires_at_idx ON public.oauth_code USING btree (expires_at);
CREATE INDEX oauth_code_owner_id_idx ON public.oauth_code USING btree (owner_id);
CREATE INDEX oauth_refresh_token_expires_at_idx ON public.oauth_refresh_token USING btree (expires_at);
CREATE INDEX oauth_refresh_token_key_id_idx ON public.oauth_refresh_token USING btree (key_id);
CREATE UNIQUE INDEX owner_email_key ON public.owner USING btree (email);
CREATE INDEX passkey_challenge_expires_at_idx ON public.passkey_challenge USING btree (expires_at);
CREATE INDEX passkey_owner_id_idx ON public.passkey USING btree (owner_id);
CREATE INDEX receipt_at_idx ON public.receipt USING brin (at) WITH (autosummarize='on');
CREATE INDEX receipt_key_id_at_idx ON public.receipt USING btree (key_id, at);
CREATE INDEX receipt_limit_id_at_idx ON public.receipt USING btree (limit_id, at) WHERE (limit_id IS NOT NULL);
CREATE INDEX receipt_owner_id_at_idx ON public.receipt USING btree (owner_id, at);
CREATE INDEX receipt_owner_id_customer_id_at_idx ON public.receipt USING btree (owner_id, customer_id, at) WHERE (customer_id IS NOT NULL);
CREATE INDEX receipt_owner_id_product_at_idx ON public.receipt USING btree (owner_id, product, at) WHERE (product <> 'tool'::text);
CREATE INDEX receipt_owner_id_status_at_idx ON public.receipt USING btree (owner_id, status, at) WHERE (status <> 'ok'::text);
CREATE INDEX receipt_owner_id_what_at_idx ON public.receipt USING btree (owner_id, what, at);
CREATE INDEX recovery_code_owner_id_idx ON public.recovery_code USING btree (owner_id);
CREATE INDEX refusal_at_idx ON public.refusal USING btree (at);
CREATE INDEX refusal_key_id_at_id_idx ON public.refusal USING btree (key_id, at, id);
CREATE INDEX refusal_owner_id_at_id_idx ON public.refusal USING btree (owner_id, at, id);
CREATE INDEX request_hour_owner_id_hour_idx ON public.request_hour USING btree (owner_id, hour);
CREATE INDEX request_log_at_idx ON public.request_log USING btree (at);
CREATE INDEX request_log_owner_id_at_id_idx ON public.request_log USING btree (owner_id, at, id);
CREATE INDEX schedule_next_at_idx ON public.schedule USING btree (next_at);
CREATE INDEX schedule_owner_id_created_at_id_idx ON public.schedule USING btree (owner_id, created_at, id);
CREATE INDEX schedule_run_created_at_idx ON public.schedule_run USING btree (created_at);
CREATE INDEX schedule_run_state_idx ON public.schedule_run USING btree (state);
CREATE INDEX session_account_id_owner_id_idx ON public.session USING btree (account_id, owner_id);
CREATE INDEX session_owner_id_idx ON public.session USING btree (owner_id);
CREATE INDEX sign_up_link_expires_at_idx ON public.sign_up_link USING btree (expires_at);
CREATE INDEX site_owner_id_idx ON public.site USING btree (owner_id);
CREATE INDEX site_version_files_idx ON public.site_version USING gin (files jsonb_path_ops);
CREATE UNIQUE INDEX site_version_preview_key ON public.site_version USING btree (preview);
CREATE INDEX spend_limit_budget_id_id_idx ON public.spend_limit USING btree (budget_id, id) WHERE (budget_id IS NOT NULL);
CREATE INDEX spend_limit_owner_id_idx ON public.spend_limit USING btree (owner_id);
CREATE INDEX task_delivery_created_at_idx ON public.task_delivery USING btree (created_at);
CREATE INDEX task_delivery_due ON public.task_delivery USING btree (owner_id, due_at) WHERE (status = 'pending'::text);
CREATE INDEX turn_ended_at_idx ON public.turn USING btree (ended_at);
CREATE UNIQUE INDEX turn_job_id_number_key ON public.turn USING btree (job_id, number);
CREATE UNIQUE INDEX turn_owner_id_idempotency_key_key ON public.turn USING btree (owner_id, idempotency_key);
CREATE UNIQUE INDEX turn_share_token_key ON public.turn USING btree (share_token);
CREATE INDEX webhook_delivery_created_at_idx ON public.webhook_delivery USING btree (created_at);
CREATE INDEX webhook_delivery_failed ON public.webhook_delivery USING btree (owner_id, created_at) WHERE (status = 'failed'::text);
CREATE INDEX webhook_delivery_job_id_created_at_id_idx ON public.webhook_delivery USING btree (job_id, created_at, id);
CREATE INDEX webhook_delivery_pending ON public.webhook_delivery USING btree (owner_id, due_at) WHERE (status = 'pending'::text);

CREATE TRIGGER member_of_new_account AFTER INSERT ON public.account FOR EACH ROW EXECUTE FUNCTION member_of_new_account();
CREATE TRIGGER job_told AFTER UPDATE OF status ON public.job FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) AND (new.status = ANY (ARRAY['completed'::text, 'failed'::text, 'awaiting_input'::text])))) EXECUTE FUNCTION agent_write_delivery();
CREATE TRIGGER budgets_of_changed_key AFTER UPDATE OF tags ON public.key FOR EACH ROW WHEN ((old.tags IS DISTINCT FROM new.tags)) EXECUTE FUNCTION budgets_of_key();
CREATE TRIGGER budgets_of_new_key AFTER INSERT ON public.key FOR EACH ROW WHEN (((new.tags <> '{}'::text[]) OR (new.person_id IS NOT NULL))) EXECUTE FUNCTION budgets_of_key();
CREATE TRIGGER usage_correct_changed AFTER UPDATE ON public.receipt FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION usage_correct();
CREATE TRIGGER usage_correct_late AFTER INSERT ON public.receipt REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION usage_correct_late();

CREATE OR REPLACE FUNCTION public.agent_actor(p_owner integer, p_key integer)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  SELECT CASE WHEN p_key IS NULL THEN (SELECT o.email FROM owner o WHERE o.id = p_owner)
    ELSE (SELECT k.name FROM "key" k WHERE k.id = p_key AND k.owner_id = p_owner) END
$function$;

CREATE OR REPLACE FUNCTION public.agent_answer(p_job uuid, p_run uuid, p_answer jsonb, p_step jsonb, p_send text, p_message text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE asked int := p_answer ->> 'index'; by_key int := p_answer ->> 'keyId'; owner_of_job int;
BEGIN
  SELECT j.owner_id INTO owner_of_job FROM job j WHERE j.id = p_job AND j.run_id = p_run AND j.status = 'awaiting_input'
    AND (j.awaiting ->> 'index')::int = asked FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO answer (job_id, index, approved, feedback, key_id, answered_by, scope, asked, input)
    VALUES (p_job, asked, (p_answer ->> 'approved')::boolean, p_answer ->> 'feedback', by_key,
      coalesce(p_answer ->> 'by', agent_actor(owner_of_job, by_key)), p_answer ->> 'scope',
      nullif(p_answer -> 'asked', 'null'), nullif(p_answer -> 'input', 'null'));
  IF p_step IS NOT NULL THEN
    INSERT INTO step (job_id, index, run_id, kind, name, input, output, error, started_at, ended_at)
      SELECT p_job, asked, p_run, s.kind, s.name, s.input, s.output, s.error, clock_timestamp(), clock_timestamp()
      FROM jsonb_to_record(p_step) AS s (kind text, name text, input jsonb, output jsonb, error jsonb);
  END IF;
  UPDATE job SET status = 'running', awaiting = NULL, attempts = 0, stalls = 0, updated_at = clock_timestamp(),
    step_count = step_count + (p_step IS NOT NULL)::int WHERE id = p_job;
  EXECUTE p_send USING p_message;
  RETURN true;
END $function$;

CREATE OR REPLACE FUNCTION public.agent_cancel(p_job uuid, p_run uuid, p_key integer)
 RETURNS boolean
 LANGUAGE sql
AS $function$
  SELECT agent_cancel_by(p_job, p_run, p_key, NULL)
$function$;

CREATE OR REPLACE FUNCTION public.agent_cancel_by(p_job uuid, p_run uuid, p_key integer, p_by text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE owner_of_job int;
BEGIN
  SELECT j.owner_id INTO owner_of_job FROM job j
    WHERE j.id = p_job AND j.run_id = p_run AND j.status IN ('running', 'awaiting_input') FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM agent_end(p_job, p_run, 'cancelled', NULL);
  UPDATE turn SET cancelled_by = coalesce(p_by, agent_actor(owner_of_job, p_key)), cancelled_key_id = p_key WHERE run_id = p_run;
  RETURN true;
END $function$;

CREATE OR REPLACE FUNCTION public.agent_cancel_for(p_job uuid, p_run uuid, p_result text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM 1 FROM job j WHERE j.id = p_job AND j.run_id = p_run AND j.status IN ('running', 'awaiting_input')
    FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM agent_end(p_job, p_run, 'cancelled', p_result);
  UPDATE turn SET cancelled_by = 'the operator' WHERE run_id = p_run;
  RETURN true;
END $function$;

CREATE OR REPLACE FUNCTION public.agent_cancel_forgotten(p_days integer, p_result text)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE cancelled int;
BEGIN
  PERFORM agent_end(j.id, j.run_id, 'cancelled', p_result) FROM (
    SELECT f.id, f.run_id FROM job f
    WHERE f.status = 'awaiting_input' AND f.updated_at < now() - make_interval(days => p_days)
    ORDER BY f.id LIMIT 100 FOR NO KEY UPDATE SKIP LOCKED) j;
  GET DIAGNOSTICS cancelled = ROW_COUNT;
  RETURN cancelled;
END $function$;

CREATE OR REPLACE FUNCTION public.agent_claim(p_job uuid, p_run uuid, p_holder uuid, p_isolated boolean, p_longest_call_s integer)
 RETURNS TABLE(outcome text, owner_id integer, fencing_token integer, attempts integer, stalls integer, reached_by text)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
DECLARE j job;
BEGIN
  SELECT * INTO j FROM job WHERE job.id = p_job FOR NO KEY UPDATE;
  IF j.id IS NULL OR j.run_id <> p_run OR j.status <> 'running' THEN
    outcome := 'over';
  ELSIF j.claimed_run_id <> p_run AND agent_has_live_call(p_job, p_longest_call_s) THEN
    outcome := 'later';
  ELSIF j.stalls = 1 AND NOT p_isolated THEN
    outcome := 'isolate';
  ELSE
    outcome := 'claimed';
    UPDATE job SET fencing_token = job.fencing_token + 1, claimed_run_id = p_run, holder_id = p_holder, attempts = job.attempts + 1,
      updated_at = clock_timestamp() WHERE job.id = p_job RETURNING * INTO j;
    PERFORM agent_void_holds(p_job);
  END IF;
  owner_id := j.owner_id; fencing_token := j.fencing_token; attempts := j.attempts; stalls := j.stalls; reached_by := j.reached_by;
  RETURN NEXT;
END $function$;

CREATE OR REPLACE FUNCTION public.agent_commit(p_items jsonb, p_send text)
 RETURNS TABLE(n integer, going text, variant text, outcome text, charged bigint, held bigint, limited text, reached text)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
DECLARE
  r_going text[]; r_variant text[];
  r_outcome text[]; r_charged bigint[]; r_held bigint[]; r_limited text[];
  is_known boolean[];
  holds uuid[]; hold_n int[]; actuals bigint[]; extends boolean[]; statuses text[]; details jsonb[];
  none int[]; nones text[];
  s record; item record;
BEGIN
  PERFORM 1 FROM job j WHERE j.id IN (SELECT (i ->> 'job')::uuid FROM jsonb_array_elements(p_items) i)
    ORDER BY j.id FOR NO KEY UPDATE;

  SELECT array_agg(CASE WHEN NOT x.is_mine THEN 'fenced' WHEN x.is_live THEN 'on' ELSE 'over' END ORDER BY x.n),
    array_agg(x.is_known ORDER BY x.n), array_agg('settled'::text ORDER BY x.n),
    array_agg(x.hold ORDER BY x.n) FILTER (WHERE x.hold IS NOT NULL),
    array_agg(x.n ORDER BY x.n) FILTER (WHERE x.hold IS NOT NULL),
    array_agg(CASE WHEN x.is_mine THEN x.actual ELSE 0 END ORDER BY x.n) FILTER (WHERE x.hold IS NOT NULL),
    array_agg(x.is_mine AND x.extend ORDER BY x.n) FILTER (WHERE x.hold IS NOT NULL),
    array_agg(CASE WHEN x.is_mine THEN x.status ELSE 'void' END ORDER BY x.n) FILTER (WHERE x.hold IS NOT NULL),
    array_agg(CASE WHEN x.is_mine THEN x.detail ELSE '{"error": "The run was taken over."}' END ORDER BY x.n)
      FILTER (WHERE x.hold IS NOT NULL)
    INTO r_going, is_known, r_variant, holds, hold_n, actuals, extends, statuses, details
    FROM (
      SELECT i.ordinality::int AS n, i.hold, i.actual, i.extend, i.status, i.detail, w.index IS NOT NULL AS is_known,
        (j.fencing_token = i.fencing_token AND (w.index IS NULL OR w.fencing_token = i.fencing_token)) IS TRUE AS is_mine,
        j.run_id = i.run AND j.status = 'running' AS is_live
      FROM ROWS FROM (jsonb_to_recordset(p_items) AS (job uuid, run uuid, fencing_token int, index int, hold uuid, actual bigint,
        extend boolean, status text, detail jsonb)) WITH ORDINALITY i
      LEFT JOIN job j ON j.id = i.job
      LEFT JOIN step w ON w.job_id = i.job AND w.index = i.index) x;

  r_outcome := array_fill(NULL::text, ARRAY[cardinality(r_going)]); r_limited := r_outcome;
  r_charged := array_fill(0::bigint, ARRAY[cardinality(r_going)]); r_held := r_charged;
  IF holds IS NOT NULL THEN
    none := array_fill(NULL::int, ARRAY[cardinality(holds)]); nones := array_fill(NULL::text, ARRAY[cardinality(holds)]);
    FOR s IN SELECT * FROM credits_settle(holds, actuals, extends, statuses, details, none, nones) LOOP
      r_outcome[hold_n[s.n]] := s.outcome; r_charged[hold_n[s.n]] := s.charged;
      r_held[hold_n[s.n]] := s.held; r_limited[hold_n[s.n]] := s.limited;
      r_variant[hold_n[s.n]] := CASE WHEN s.outcome IN ('expired', 'unknown') THEN 'expired'
        WHEN extends[s.n] AND s.charged < actuals[s.n] THEN 'limited' ELSE 'settled' END;
    END LOOP;
  END IF;

  INSERT INTO step (job_id, index, run_id, kind, name, hold_id, fencing_token, charged, input, output, error, started_at, ended_at)
    SELECT i.job, i.index, i.run, i.kind, i.name, i.hold, i.fencing_token, r_charged[i.n], i.input,
      CASE WHEN i.varied THEN i.variants -> r_variant[i.n] -> 'output' ELSE i.output END,
      CASE WHEN i.varied THEN i.variants -> r_variant[i.n] -> 'error' ELSE i.error END, i.started_at, clock_timestamp()
    FROM (
      SELECT x.*, x.ordinality::int AS n, x.variants ? r_variant[x.ordinality] IS TRUE AS varied
      FROM ROWS FROM (jsonb_to_recordset(p_items) AS (job uuid, run uuid, fencing_token int, index int, kind text, name text,
        hold uuid, input jsonb, output jsonb, error jsonb, variants jsonb, started_at timestamptz)) WITH ORDINALITY x) i
    WHERE i.index IS NOT NULL AND r_going[i.n] <> 'fenced' AND NOT is_known[i.n]
    ON CONFLICT DO NOTHING;

  IF p_items @? '$[*].artifacts' THEN
    INSERT INTO artifact (job_id, kind, ref, name, url, index)
      SELECT DISTINCT ON (i.job, a.kind, a.id) i.job, a.kind, a.id, a.name, a.url, i.index
      FROM (
        SELECT x.job, x.index, CASE WHEN x.variants ? r_variant[x.ordinality] IS TRUE
            THEN x.variants -> r_variant[x.ordinality] -> 'artifacts' ELSE x.artifacts END AS made
        FROM ROWS FROM (jsonb_to_recordset(p_items) AS (job uuid, index int, variants jsonb, artifacts jsonb))
          WITH ORDINALITY x
        WHERE x.index IS NOT NULL AND r_going[x.ordinality] <> 'fenced' AND NOT is_known[x.ordinality]) i
      CROSS JOIN LATERAL jsonb_to_recordset(i.made) AS a (kind text, id text, name text, url text)
      ORDER BY i.job, a.kind, a.id, i.index DESC
      ON CONFLICT (job_id, kind, ref) DO UPDATE SET name = excluded.name, url = excluded.url, index = excluded.index;
  END IF;

  -- A step that is written ends its attempts; whatever kept the run from its next step is kept. A
  -- step of a run that was cancelled meanwhile is only counted.
  UPDATE job j SET step_count = j.step_count + i.steps, input_tokens = j.input_tokens + i.input,
      output_tokens = j.output_tokens + i.output, cached_tokens = j.cached_tokens + i.cached,
      attempts = CASE WHEN i.is_on THEN 1 ELSE j.attempts END, stalls = CASE WHEN i.is_on THEN 0 ELSE j.stalls END,
      updated_at = clock_timestamp(), reached_by = coalesce(j.reached_by, i.reached),
      credits = CASE WHEN j.status = 'running' THEN j.credits
        ELSE coalesce((SELECT l.spent FROM spend_limit l WHERE l.id = j.id), j.credits) END
    FROM (
      SELECT x.job, bool_or(r_going[x.ordinality] = 'on') AS is_on, count(*)::int AS steps,
        coalesce(sum(x.input_tokens), 0) AS input, coalesce(sum(x.output_tokens), 0) AS output,
        coalesce(sum(x.cached_tokens), 0) AS cached,
        min(coalesce(x.reached, r_limited[x.ordinality])) FILTER (WHERE r_going[x.ordinality] = 'on') AS reached
      FROM ROWS FROM (jsonb_to_recordset(p_items) AS (job uuid, index int, reached text, input_tokens bigint,
        output_tokens bigint, cached_tokens bigint)) WITH ORDINALITY x
      WHERE x.index IS NOT NULL AND r_going[x.ordinality] <> 'fenced' AND NOT is_known[x.ordinality] GROUP BY x.job) i
    WHERE j.id = i.job;

  IF p_items @? '$[*].checks' THEN
    UPDATE turn w SET checks = CASE WHEN x.judged IS NULL THEN x.checks
        ELSE jsonb_set(x.checks, ARRAY[x.judged::text, 'outcome', 'creditsCharged'], to_jsonb(r_charged[x.ordinality])) END
      FROM ROWS FROM (jsonb_to_recordset(p_items) AS (run uuid, checks jsonb, judged int)) WITH ORDINALITY x
      WHERE w.run_id = x.run AND x.checks IS NOT NULL AND r_going[x.ordinality] <> 'fenced';
    -- A judge that has answered ends its attempts, as a step does.
    UPDATE job j SET attempts = CASE WHEN r_going[x.ordinality] = 'on' THEN 1 ELSE j.attempts END,
        stalls = CASE WHEN r_going[x.ordinality] = 'on' THEN 0 ELSE j.stalls END, updated_at = clock_timestamp(),
        credits = CASE WHEN j.status = 'running' THEN j.credits
          ELSE coalesce((SELECT l.spent FROM spend_limit l WHERE l.id = j.id), j.credits) END
      FROM ROWS FROM (jsonb_to_recordset(p_items) AS (job uuid, judged int)) WITH ORDINALITY x
      WHERE j.id = x.job AND x.judged IS NOT NULL AND r_going[x.ordinality] <> 'fenced';
  END IF;

  FOR item IN
    SELECT x.*, x.ordinality::int AS n FROM ROWS FROM (jsonb_to_recordset(p_items) AS (job uuid, run uuid, index int,
      transition text, reached text, attempts int, awaiting jsonb, status_after text, result text, value jsonb, message text))
      WITH ORDINALITY x
    WHERE x.transition <> 'continue' AND NOT (x.transition = 'limit' AND x.index IS NOT NULL)
      AND r_going[x.ordinality] = 'on' ORDER BY x.ordinality
  LOOP
    CASE item.transition
      WHEN 'limit' THEN
        UPDATE job SET reached_by = coalesce(reached_by, item.reached), updated_at = clock_timestamp() WHERE id = item.job;
      WHEN 'retry' THEN
        UPDATE job SET attempts = item.attempts WHERE id = item.job;
      WHEN 'pause' THEN
        UPDATE job SET status = 'awaiting_input', awaiting = item.awaiting, attempts = 0, updated_at = clock_timestamp(),
          credits = coalesce((SELECT l.spent FROM spend_limit l WHERE l.id = item.job), 0) WHERE id = item.job;
      WHEN 'end' THEN
        IF item.value IS NOT NULL THEN UPDATE turn SET output = item.value WHERE run_id = item.run; END IF;
        PERFORM agent_end(item.job, item.run, item.status_after, item.result);
      WHEN 'release' THEN
        UPDATE job SET attempts = 0, fencing_token = fencing_token + 1, holder_id = NULL WHERE id = item.job;
        EXECUTE p_send USING item.message;
    END CASE;
    IF item.transition IN ('pause', 'end', 'release') THEN r_going[item.n] := 'over'; END IF;
  END LOOP;

  RETURN QUERY SELECT u.n::int, u.going, u.variant, u.outcome, u.charged, u.held, u.limited,
      (SELECT j.reached_by FROM job j WHERE j.id = (p_items -> (u.n::int - 1) ->> 'job')::uuid)
    FROM unnest(r_going, r_variant, r_outcome, r_charged, r_held, r_limited) WITH ORDINALITY
      AS u (going, variant, outcome, charged, held, limited, n) ORDER BY u.n;
END $function$;

CREATE OR REPLACE FUNCTION public.agent_end(p_job uuid, p_run uuid, p_status text, p_result text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE job j SET status = p_status, result = p_result, awaiting = NULL, attempts = 0, stalls = 0, updated_at = clock_timestamp(),
      credits = coalesce((SELECT l.spent FROM spend_limit l WHERE l.id = p_job), 0), worked_ms = j.worked_ms + coalesce(
        (SELECT extract(epoch FROM clock_timestamp() - t.created_at) * 1000 FROM turn t WHERE t.run_id = p_run), 0)::bigint
    WHERE j.id = p_job;
  UPDATE turn SET status = p_status, result = p_result, ended_at = clock_timestamp() WHERE run_id = p_run;
END $function$;

CREATE OR REPLACE FUNCTION public.agent_has_live_call(p_job uuid, p_longest_call_s integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE is_renewed boolean;
BEGIN
  SELECT bool_or(coalesce(p.lease_until > now(), false)) INTO is_renewed FROM hold h LEFT JOIN holder p ON p.id = h.holder_id
    WHERE h.limit_id = p_job AND h.created_at > now() - make_interval(secs => p_longest_call_s);
  RETURN CASE WHEN is_renewed IS NULL THEN false WHEN is_renewed THEN true
    ELSE credits_tick() > now() - interval '25 seconds' END;
END $function$;

CREATE OR REPLACE FUNCTION public.agent_mark_stalled(p_holder uuid)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE marked int;
BEGIN
  WITH claimed AS (
    SELECT id FROM job WHERE holder_id = p_holder AND status = 'running' ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE job SET stalls = stalls + 1, stalled_at = clock_timestamp() FROM claimed WHERE job.id = claimed.id;
  GET DIAGNOSTICS marked = ROW_COUNT;
  RETURN marked;
END $function$;

CREATE OR REPLACE FUNCTION public.agent_raise_limit(p_job uuid, p_owner integer, p_cap bigint, p_keeps boolean)
 RETURNS TABLE(outcome text, cap bigint)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
DECLARE j job; t turn;
BEGIN
  SELECT * INTO j FROM job WHERE job.id = p_job AND job.owner_id = p_owner FOR NO KEY UPDATE;
  IF j.id IS NULL THEN outcome := 'missing'; RETURN NEXT; RETURN; END IF;
  SELECT * INTO t FROM turn WHERE turn.run_id = j.run_id;
  cap := t.cap_credits;
  IF p_cap <= cap THEN outcome := 'lower'; RETURN NEXT; RETURN; END IF;
  -- The limit of the run in progress stays, where it has one of its own.
  IF t.stop_at_credits IS NULL THEN
    UPDATE spend_limit l SET cap = p_cap WHERE l.id = p_job;
    UPDATE job SET reached_by = NULL WHERE job.id = p_job AND job.reached_by = 'conversation';
  END IF;
  UPDATE turn SET cap_credits = p_cap WHERE turn.run_id = j.run_id;
  UPDATE job SET raised_cap_credits = CASE WHEN p_keeps THEN p_cap ELSE job.raised_cap_credits END,
    updated_at = clock_timestamp() WHERE job.id = p_job;
  outcome := 'raised'; cap := p_cap;
  RETURN NEXT;
END $function$;

CREATE OR REPLACE FUNCTION public.agent_search(p_owner integer, p_text text)
 RETURNS tsquery
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN concat_ws(' & ', '''owner:' || p_owner || '''',
    (SELECT string_agg('''' || w || ''':*', ' & ') FROM unnest(agent_words(p_text)) w))::tsquery;
END $function$;

CREATE OR REPLACE FUNCTION public.agent_send(p_job uuid, p_run uuid, p_is_lost boolean, p_send text, p_message text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM 1 FROM job j WHERE j.id = p_job AND j.run_id = p_run AND j.status = 'running' FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  IF p_is_lost AND EXISTS (SELECT 1 FROM pgboss.job m
    WHERE m.name = 'agent-runs' AND m.state < 'completed' AND m.singleton_key = p_job::text) THEN RETURN false; END IF;
  EXECUTE p_send USING p_message;
  RETURN true;
END $function$;

CREATE OR REPLACE FUNCTION public.agent_start(p_turn jsonb, p_is_new boolean, p_least bigint, p_send text, p_message text)
 RETURNS TABLE(outcome text, credits bigint, limit_source text)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
DECLARE t record; j job; before turn; place int := 1; cap bigint; stop_at bigint;
  balance bigint; budget bigint; period bigint; day bigint; found_by tsvector;
BEGIN
  SELECT * INTO t FROM jsonb_to_record(p_turn) AS x (run_id uuid, job_id uuid, owner_id int, key_id int, title text,
    idempotency_key text, goal text, mode text, model text, agent text, capabilities text[], cap_credits bigint,
    history_turn_limit int, callback_url text, output_schema jsonb, origin text, traceparent text, max_credits bigint,
    attachments jsonb, summary_model text, metadata jsonb, schedule_id uuid, customer_id int, permissions jsonb,
    actor text, person_id int, memory boolean, checks jsonb,
    rerun_of uuid, rerun_turn int, from_step int);
  cap := t.cap_credits;
  IF t.rerun_of IS NOT NULL THEN place := t.rerun_turn; END IF;
  IF NOT p_is_new THEN
    SELECT * INTO j FROM job WHERE job.id = t.job_id AND job.owner_id = t.owner_id FOR NO KEY UPDATE;
    outcome := CASE WHEN j.id IS NULL THEN 'missing' WHEN j.status IN ('running', 'awaiting_input') THEN 'live' END;
    IF outcome IS NOT NULL THEN RETURN NEXT; RETURN; END IF;
    cap := greatest(cap, j.raised_cap_credits);
    SELECT w.* INTO before FROM turn w WHERE w.run_id = j.run_id;
    place := before.number + 1;
    SELECT l.spent INTO credits FROM spend_limit l WHERE l.id = t.job_id;
    -- What reached the limit of its own run did not reach the conversation's.
    IF (j.reached_by = 'conversation' AND before.stop_at_credits IS NULL) OR credits >= cap THEN
      outcome := 'spent'; RETURN NEXT; RETURN;
    END IF;
  END IF;
  stop_at := coalesce(credits, 0) + t.max_credits;
  IF stop_at >= cap THEN stop_at := NULL; END IF;

  SELECT a.available + a.held, a.day_credits - CASE WHEN a.day_start >= date_trunc('day', clock_timestamp(), 'UTC')
      THEN a.day_spent ELSE 0 END INTO balance, day FROM account a WHERE a.owner_id = t.owner_id;
  SELECT k.budget - k.spent,
      CASE WHEN k.period_end <= clock_timestamp() THEN k.period_budget ELSE k.period_budget - k.period_spent END
    INTO budget, period FROM "key" k WHERE k.id = t.key_id AND k.owner_id = t.owner_id;
  credits := least(coalesce(balance, 0), budget, period, day);
  limit_source := CASE credits WHEN coalesce(balance, 0) THEN 'balance' WHEN budget THEN 'key_budget'
    WHEN period THEN 'key_period' ELSE 'account_day' END;
  IF credits < p_least THEN outcome := 'short'; RETURN NEXT; RETURN; END IF;

  found_by := array_to_tsvector(array_prepend('owner:' || t.owner_id, agent_words(t.goal)));
  INSERT INTO job (id, owner_id, title, status, run_id, key_id, mode, origin, words)
    SELECT t.job_id, t.owner_id, t.title, 'running', t.run_id, t.key_id, t.mode, t.origin, found_by WHERE p_is_new;
  INSERT INTO turn (run_id, job_id, owner_id, number, key_id, idempotency_key, goal, mode, model, agent, capabilities,
      cap_credits, history_turn_limit, callback_url, output_schema, origin, traceparent, started_by, status, max_credits,
      stop_at_credits, attachments, summary_model, metadata, schedule_id, customer_id, permissions, person_id, memory, checks,
      rerun_of, from_step)
    VALUES (t.run_id, t.job_id, t.owner_id, place, t.key_id, t.idempotency_key, t.goal, t.mode, t.model, t.agent,
      t.capabilities, cap, t.history_turn_limit, t.callback_url, t.output_schema, t.origin, t.traceparent,
      coalesce(t.actor, agent_actor(t.owner_id, CASE WHEN t.origin = 'dashboard' THEN NULL ELSE t.key_id END)), 'running',
      t.max_credits,
      stop_at, t.attachments, t.summary_model, coalesce(t.metadata, before.metadata),
      coalesce(t.schedule_id, before.schedule_id), coalesce(t.customer_id, before.customer_id), t.permissions, t.person_id,
      t.memory, t.checks, t.rerun_of, t.from_step);
  IF t.rerun_of IS NOT NULL THEN PERFORM agent_take_over(t.owner_id, t.run_id); END IF;
  -- What stopped the run before may have credits again, but for its spend limit (see above).
  UPDATE job SET status = 'running', run_id = t.run_id, reached_by = NULL, result = NULL, awaiting = NULL, attempts = 0,
    stalls = 0, updated_at = clock_timestamp(), key_id = t.key_id, mode = t.mode, origin = t.origin,
    words = coalesce(job.words, '') || found_by WHERE job.id = t.job_id AND NOT p_is_new;
  -- A spend limit never goes below what is spent or held already.
  INSERT INTO spend_limit (id, owner_id, cap) VALUES (t.job_id, t.owner_id, coalesce(stop_at, cap))
    ON CONFLICT (id) DO UPDATE SET cap = greatest(excluded.cap, spend_limit.spent + spend_limit.held);
  EXECUTE p_send USING p_message;
  outcome := 'started';
  RETURN NEXT;
END $function$;

CREATE OR REPLACE FUNCTION public.agent_take_over(p_owner integer, p_run uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
DECLARE mine turn; last_step int;
BEGIN
  SELECT * INTO mine FROM turn WHERE run_id = p_run AND owner_id = p_owner;
  SELECT coalesce(mine.from_step, min(s.index)) INTO last_step
    FROM turn w JOIN step s ON s.job_id = w.job_id AND s.run_id = w.run_id
    WHERE w.job_id = mine.rerun_of AND w.owner_id = p_owner AND w.number = mine.number;
  INSERT INTO turn (run_id, job_id, owner_id, number, key_id, idempotency_key, goal, mode, model, agent, capabilities,
      cap_credits, history_turn_limit, output_schema, output, origin, started_by, person_id, status, result, attachments,
      metadata, customer_id, created_at, ended_at, rerun_of)
    SELECT gen_random_uuid(), mine.job_id, p_owner, w.number, w.key_id, 'rerun/' || p_run || '/' || w.number, w.goal, w.mode,
      w.model, w.agent, w.capabilities, w.cap_credits, w.history_turn_limit, w.output_schema, w.output, w.origin, w.started_by,
      w.person_id, w.status, w.result, w.attachments, w.metadata, w.customer_id, w.created_at, w.ended_at, mine.rerun_of
    FROM turn w WHERE w.job_id = mine.rerun_of AND w.owner_id = p_owner AND w.number < mine.number;
  INSERT INTO step (job_id, index, run_id, kind, name, charged, input, output, error, started_at, ended_at)
    SELECT mine.job_id, s.index, own.run_id, s.kind, s.name, 0, s.input, s.output, s.error, s.started_at, s.ended_at
    FROM turn w JOIN step s ON s.job_id = w.job_id AND s.run_id = w.run_id
      JOIN turn own ON own.job_id = mine.job_id AND own.number = w.number
    WHERE w.job_id = mine.rerun_of AND w.owner_id = p_owner AND (w.number < mine.number OR w.number = mine.number
      AND s.index < last_step);
  -- Without their scope: who approved later calls of that run did not approve those of this one.
  INSERT INTO answer (job_id, index, approved, feedback, key_id, answered_by, asked, input, at)
    SELECT mine.job_id, a.index, a.approved, a.feedback, a.key_id, a.answered_by, a.asked, a.input, a.at
    FROM answer a JOIN job j ON j.id = a.job_id
    WHERE a.job_id = mine.rerun_of AND j.owner_id = p_owner AND a.index < last_step;
END $function$;

CREATE OR REPLACE FUNCTION public.agent_void_holds(p_job uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE ids uuid[] := ARRAY(SELECT h.id FROM hold h WHERE h.limit_id = p_job);
BEGIN
  IF ids = '{}' THEN RETURN; END IF;
  PERFORM credits_settle(ids, array_fill(0::bigint, ARRAY[cardinality(ids)]), array_fill(false, ARRAY[cardinality(ids)]),
    array_fill('void'::text, ARRAY[cardinality(ids)]),
    array_fill('{"error": "The run was taken over."}'::jsonb, ARRAY[cardinality(ids)]),
    array_fill(NULL::int, ARRAY[cardinality(ids)]), array_fill(NULL::text, ARRAY[cardinality(ids)]));
END $function$;

CREATE OR REPLACE FUNCTION public.agent_words(p_text text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT array(SELECT DISTINCT left(w, 60) FROM regexp_split_to_table(lower(left(p_text, 4000)), '[[:space:][:punct:]]+') w
    WHERE w <> '' LIMIT 400)
$function$;

CREATE OR REPLACE FUNCTION public.agent_write_delivery()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO webhook_delivery (job_id, run_id, owner_id, url, host, event, awaiting, spent)
    SELECT NEW.id, NEW.run_id, NEW.owner_id, t.callback_url, split_part(t.callback_url, '/', 3), NEW.status, NEW.awaiting,
      coalesce((SELECT l.spent FROM spend_limit l WHERE l.id = NEW.id), 0)
    FROM turn t WHERE t.run_id = NEW.run_id AND t.callback_url IS NOT NULL;
  INSERT INTO notice (owner_id, kind, data)
    SELECT NEW.owner_id, CASE NEW.status WHEN 'awaiting_input' THEN 'run_waiting' ELSE 'run_' || NEW.status END,
      jsonb_build_object('jobId', NEW.id, 'name', left(NEW.title, 200))
    FROM turn t WHERE t.run_id = NEW.run_id AND (NEW.status <> 'completed' OR t.origin <> 'api');
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.budget_period(p_period text, p_zone text, p_at timestamp with time zone, OUT begins timestamp with time zone, OUT ends timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE local timestamp := date_trunc(p_period, p_at AT TIME ZONE p_zone);
BEGIN
  begins := first_instant(local, p_zone);
  local := local + ('1 ' || p_period)::interval;
  ends := first_instant(local, p_zone);
  IF ends <= p_at THEN ends := local AT TIME ZONE p_zone; END IF;
END $function$;

CREATE OR REPLACE FUNCTION public.budgets_of_key()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE account a SET budgets_version = a.budgets_version + 1 WHERE a.owner_id = NEW.owner_id AND a.budgets_version > 0;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.charged_in_period(p_receipt receipt, p_start timestamp with time zone, p_charged bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT CASE WHEN p_start IS NULL OR p_receipt.at < p_start THEN 0 WHEN p_receipt.started_at >= p_start THEN p_charged
    ELSE greatest(0, p_charged - p_receipt.held) END
$function$;

CREATE OR REPLACE FUNCTION public.credits_batch(p_hash bytea[], p_owner_rpm integer, p_ended uuid[], p_actual bigint[], p_extend boolean[], p_status text[], p_detail jsonb[], p_reply_status integer[], p_reply_answer text[], p_holder uuid, p_id uuid[], p_owner integer[], p_key integer[], p_limit uuid[], p_least bigint[], p_most bigint[], p_remaining bigint[], p_channel text[], p_product text[], p_what text[], p_token text[], p_body bytea[], p_max_calls integer, p_after integer[], p_version integer[])
 RETURNS TABLE(n integer, settled text, state text, outcome text, amount bigint, held bigint, limited text, reply_status integer, reply_answer text, reply_charged bigint, key_id integer, owner_id integer, rpm integer, remaining integer, reset_s integer, grants_version integer, reason text)
 LANGUAGE plpgsql
AS $function$
BEGIN
  RETURN QUERY SELECT b.n, b.settled, b.state, b.outcome, b.amount, b.held, b.limited, b.reply_status, b.reply_answer, b.reply_charged,
      b.key_id, b.owner_id, b.rpm, b.remaining, b.reset_s, b.grants_version, b.reason
    FROM credits_batch(p_hash, p_owner_rpm, p_ended, p_actual, p_extend, p_status, p_detail, p_reply_status, p_reply_answer,
      p_holder, p_id, p_owner, p_key, p_limit, p_least, p_most, p_remaining, p_channel, p_product, p_what, p_token, p_body,
      p_max_calls, p_after, p_version, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}',
      '{}') b;
END $function$;

CREATE OR REPLACE FUNCTION public.credits_batch(p_hash bytea[], p_owner_rpm integer, p_ended uuid[], p_actual bigint[], p_extend boolean[], p_status text[], p_detail jsonb[], p_reply_status integer[], p_reply_answer text[], p_holder uuid, p_id uuid[], p_owner integer[], p_key integer[], p_limit uuid[], p_least bigint[], p_most bigint[], p_remaining bigint[], p_channel text[], p_product text[], p_what text[], p_token text[], p_body bytea[], p_max_calls integer, p_after integer[], p_version integer[], p_customer integer[], p_budgets integer[], p_from integer[], p_to integer[], p_row uuid[], p_row_budget uuid[], p_row_customer integer[], p_times integer[], p_calls integer[], p_split uuid[], p_split_of uuid[], p_split_owner integer[], p_split_key integer[], p_split_amount bigint[], p_split_channel text[], p_split_product text[], p_split_what text[], p_split_ms integer[])
 RETURNS TABLE(n integer, settled text, state text, outcome text, amount bigint, held bigint, limited text, reply_status integer, reply_answer text, reply_charged bigint, key_id integer, owner_id integer, rpm integer, remaining integer, reset_s integer, grants_version integer, reason text, short jsonb)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_material TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
DECLARE
  let_in int[];
  s_outcome text[]; s_charged bigint[]; s_limited text[];
  r_outcome text[]; r_amount bigint[];
  limits uuid[]; limit_owner int[]; named uuid[]; named_now text; from_now int; at_named int[];
  group_used bigint := 0; group_reserved bigint := 0; group_free bigint; group_since timestamptz; is_grouped boolean; g int;
  keys int[]; key_owner int[]; key_valid boolean[];
  owners int[]; suspended text[]; chains bytea[]; calling int[]; max_calls int[]; versions int[];
  caps bigint[]; used bigint[]; reserved bigint[]; begins timestamptz[]; ends timestamptz[]; window_begins timestamptz[]; window_ends timestamptz[];
  of_key int; of_owner int; of_period int; of_day int;
  ended uuid[]; ended_amount bigint[]; ended_owner int[]; ended_key int[]; ended_limit uuid[]; ended_at timestamptz[];
  ended_channel text[]; ended_named text[]; ended_calls int[];
  fresh int[]; splits int[]; splits_at timestamptz[]; splits_named text[];
  at timestamptz; call_token text;
  has_limits boolean; has_named boolean; has_windows boolean; has_days boolean; is_plain boolean; keeps boolean; is_repeated boolean;
  is_changed boolean := false;
  stored record; mine int[]; h int; k int; o int; l int; first_n int; free bigint; replayed bigint := 0;
BEGIN
  IF p_hash <> '{}' THEN
    FOR n, state, key_id, owner_id, rpm, remaining, reset_s, grants_version, reason IN
      SELECT * FROM keys_authenticate(p_hash, p_owner_rpm, p_times)
    LOOP
      IF state = 'ok' THEN let_in[n] := grants_version; END IF;
      RETURN NEXT;
    END LOOP;
    state := NULL; key_id := NULL; owner_id := NULL; rpm := NULL; remaining := NULL; reset_s := NULL;
    grants_version := NULL; reason := NULL;
  END IF;

  -- What is locked: the rows of holds to end, and those of holds to take.
  IF p_ended <> '{}' THEN
    SELECT array_agg(h.limit_id) FILTER (WHERE h.limit_id IS NOT NULL), array_agg(h.key_id), array_agg(h.owner_id), bool_or(h.limits IS NOT NULL)
      INTO limits, keys, owners, has_named FROM hold h WHERE h.id = ANY (p_ended || p_split_of);
  END IF;
  IF p_split <> '{}' THEN keys := p_split_key || keys; owners := p_split_owner || owners; END IF;
  IF p_id <> '{}' THEN
    IF NOT EXISTS (SELECT 1 FROM holder h WHERE h.id = p_holder AND h.lease_until > now() + interval '30 seconds') THEN
      PERFORM credits_renew(p_holder);
    END IF;
    IF array_remove(p_row_customer, NULL) <> '{}' THEN PERFORM limits_of_customers(p_row, p_row_budget, p_row_customer); END IF;
    limits := array_remove(p_limit, NULL) || p_row || limits; keys := p_key || keys; owners := p_owner || owners;
    IF array_position(p_product, NULL) IS NOT NULL THEN has_named := true; END IF;
  END IF;
  IF has_named THEN
    SELECT array_agg(u.id) INTO named FROM hold y CROSS JOIN LATERAL unnest(y.limits) u (id) WHERE y.id = ANY (p_ended || p_split_of || p_id);
    limits := limits || named;
  END IF;
  has_limits := limits <> '{}';
  IF has_limits THEN
    SELECT array_agg(x.id), array_agg(x.owner_id), array_agg(x.cap), array_agg(x.spent), array_agg(x.held), array_agg(x.starts_at),
        array_agg(x.ends_at) INTO limits, limit_owner, caps, used, reserved, begins, ends
      FROM (SELECT s.* FROM spend_limit s WHERE s.id = ANY (limits) ORDER BY s.id FOR NO KEY UPDATE) x;
  END IF;
  of_key := coalesce(cardinality(limits), 0);
  SELECT array_agg(x.id), array_agg(x.owner_id), array_agg(x.valid), bool_or(x.has_window),
      caps || array_agg(x.budget), used || array_agg(x.spent), reserved || array_agg(x.held)
    INTO keys, key_owner, key_valid, has_windows, caps, used, reserved FROM (
      SELECT y.id, y.owner_id, y.revoked_at IS NULL AND (y.expires_at IS NULL OR y.expires_at > now()) AS valid, y.budget, y.spent,
        y.held, y.period_budget IS NOT NULL AS has_window
      FROM "key" y WHERE y.id = ANY (keys) ORDER BY y.id FOR NO KEY UPDATE) x;
  of_owner := of_key + coalesce(cardinality(keys), 0);
  SELECT array_agg(x.owner_id), array_agg(x.suspended_for), array_agg(x.calls), array_agg(x.chain), array_agg(x.max_calls),
      array_agg(x.budgets_version), bool_or(x.has_day), caps || array_agg(x.cap), used || array_agg(0::bigint), reserved || array_agg(x.held)
    INTO owners, suspended, calling, chains, max_calls, versions, has_days, caps, used, reserved FROM (
      SELECT a.owner_id, a.suspended_for, a.available + a.held AS cap, a.held, a.calls, a.chain, coalesce(a.max_calls, p_max_calls) AS max_calls,
        a.budgets_version, a.day_credits IS NOT NULL AS has_day
      FROM account a WHERE a.owner_id = ANY (owners) ORDER BY a.owner_id FOR NO KEY UPDATE) x;
  of_period := of_owner + coalesce(cardinality(owners), 0); of_day := of_period;
  -- When holds are taken and end, which says in which windows they count: read under the locks, in
  -- the precision that is stored, and never before a window that has begun.
  at := date_trunc('milliseconds', clock_timestamp());
  IF has_windows THEN
    SELECT caps || array_agg(x.period_budget), used || array_agg(x.period_spent), reserved || array_agg(x.period_held),
        array_agg(x.period_start), array_agg(x.period_end) INTO caps, used, reserved, window_begins, window_ends
      FROM (SELECT y.* FROM "key" y WHERE y.id = ANY (keys) ORDER BY y.id) x;
    of_day := of_period + cardinality(keys);
    begins[of_period + 1 : of_day] := window_begins; ends[of_period + 1 : of_day] := window_ends;
  END IF;
  IF has_days THEN
    -- Of UTC, which no owner can move.
    SELECT caps || array_agg(x.day_credits), used || array_agg(x.day_spent), reserved || array_agg(x.day_held),
        array_agg(x.day_start), array_agg(x.day_start + interval '24 hours') INTO caps, used, reserved, window_begins, window_ends
      FROM (SELECT a.* FROM account a WHERE a.owner_id = ANY (owners) ORDER BY a.owner_id) x;
    l := of_day + cardinality(owners);
    begins[of_day + 1 : l] := window_begins; ends[of_day + 1 : l] := window_ends;
  END IF;
  is_plain := begins IS NULL AND NOT coalesce(has_limits, false);
  IF begins IS NOT NULL THEN
    at := greatest(at, (SELECT max(b) FROM unnest(begins) b));
    IF at >= ANY (ends) THEN
      -- A window that is over is left behind by whoever comes first. Where its owner has moved to
      -- another time zone, the next begins at its end.
      FOR l IN array_lower(ends, 1)..array_upper(ends, 1) LOOP
        CONTINUE WHEN (ends[l] <= at) IS NOT TRUE;
        SELECT b.begins, b.ends INTO stored FROM limit_window(limits[l], keys[l - of_period], at) b;
        begins[l] := greatest(stored.begins, ends[l]); ends[l] := stored.ends; used[l] := 0; reserved[l] := 0;
      END LOOP;
    END IF;
  END IF;

  IF p_split <> '{}' THEN
    SELECT array_agg(u.i) INTO fresh FROM unnest(p_split) WITH ORDINALITY u (id, i)
      WHERE NOT EXISTS (SELECT 1 FROM hold y WHERE y.id = u.id) AND NOT EXISTS (SELECT 1 FROM receipt c WHERE c.id = u.id);
    IF fresh IS NOT NULL THEN
      -- In a window, a call counts as the slice that it is of.
      WITH shrunk AS (
        UPDATE hold y SET amount = y.amount - x.amount, calls = y.calls - x.calls
          FROM (SELECT p_split_of[f.i] AS id, sum(p_split_amount[f.i]) AS amount, count(*) AS calls FROM unnest(fresh) f (i) GROUP BY 1) x
          WHERE y.id = x.id RETURNING y.id, y.created_at, y.holder_id, y.limits
      ), begun AS (
        SELECT f.i, s.holder_id, s.limits, CASE WHEN begins IS NULL
            THEN least(at, s.created_at + p_split_ms[f.i] * interval '1 millisecond') ELSE s.created_at END AS at
          FROM unnest(fresh) f (i) JOIN shrunk s ON s.id = p_split_of[f.i]
      ), own AS (
        INSERT INTO hold (id, amount, created_at, holder_id, owner_id, key_id, channel, product, what, limits)
          SELECT p_split[b.i], p_split_amount[b.i], b.at, b.holder_id, p_split_owner[b.i], p_split_key[b.i], p_split_channel[b.i],
            p_split_product[b.i], p_split_what[b.i], b.limits FROM begun b WHERE p_split[b.i] <> ALL (p_ended)
      )
      SELECT array_agg(b.i), array_agg(b.at), array_agg(b.limits::text) INTO splits, splits_at, splits_named FROM begun b;
      FOREACH l IN ARRAY fresh LOOP
        g := array_position(splits, l);
        IF g IS NULL THEN
          -- Its slice is gone: where that was swept, so was the call.
          INSERT INTO receipt (id, at, started_at, held, charged, owner_id, key_id, status, channel, product, what, detail, seal)
            SELECT p_split[l], c.at, c.started_at, p_split_amount[l], 0, c.owner_id, c.key_id, 'expired', p_split_channel[l],
              p_split_product[l], p_split_what[l], d.detail, receipt_seal(p_split[l], c.at, c.started_at, p_split_amount[l], 0, NULL, c.owner_id,
              c.key_id, 'expired', p_split_channel[l], p_split_product[l], p_split_what[l], d.detail)
            FROM receipt c CROSS JOIN LATERAL (
              SELECT CASE WHEN c.detail ? 'limits' THEN jsonb_build_object('limits', c.detail -> 'limits') END) d (detail)
            WHERE c.id = p_split_of[l] AND c.status = 'expired';
        ELSIF p_split[l] = ANY (p_ended) THEN
          ended := ended || p_split[l]; ended_amount := ended_amount || p_split_amount[l]; ended_owner := ended_owner || p_split_owner[l];
          ended_key := array_append(ended_key, p_split_key[l]); ended_limit := array_append(ended_limit, NULL); ended_at := ended_at || splits_at[g];
          ended_channel := ended_channel || p_split_channel[l]; ended_named := array_append(ended_named, splits_named[g]); ended_calls := array_append(ended_calls, NULL);
        ELSE
          splits[g] := NULL;
        END IF;
      END LOOP;
    END IF;
  END IF;

  IF p_ended <> '{}' THEN
    SELECT ended || array_agg(y.id), ended_amount || array_agg(y.amount), ended_owner || array_agg(y.owner_id),
        ended_key || array_agg(y.key_id), ended_limit || array_agg(y.limit_id), ended_at || array_agg(y.created_at),
        ended_channel || array_agg(y.channel), ended_named || array_agg(y.limits::text), ended_calls || array_agg(y.calls), bool_or(y.keeps_answer)
      INTO ended, ended_amount, ended_owner, ended_key, ended_limit, ended_at, ended_channel, ended_named, ended_calls, keeps
      FROM hold y WHERE y.id = ANY (p_ended);
    FOR i IN 1..cardinality(p_ended) LOOP
      n := i; limited := NULL;
      h := array_position(ended, p_ended[i]); held := coalesce(ended_amount[h], 0);
      first_n := array_position(p_ended, p_ended[i]);

      IF first_n < i THEN
        settled := CASE s_outcome[first_n] WHEN 'done' THEN 'again' ELSE s_outcome[first_n] END;
        amount := s_charged[first_n];
      ELSIF h IS NULL THEN
        SELECT c.status, c.charged, c.held INTO stored FROM receipt c WHERE c.id = p_ended[i];
        settled := CASE WHEN NOT FOUND THEN 'unknown' WHEN stored.status = 'expired' THEN 'expired' ELSE 'again' END;
        amount := coalesce(stored.charged, 0); held := coalesce(stored.held, 0);
      ELSE
        k := array_position(keys, ended_key[h]);
        o := array_position(owners, ended_owner[h]);
        mine := CASE WHEN k IS NULL THEN ARRAY[of_owner + o] ELSE ARRAY[of_key + k, of_owner + o] END;
        IF NOT is_plain THEN
          IF has_windows AND k IS NOT NULL THEN mine := of_period + k || mine; END IF;
          IF has_days THEN mine := of_day + o || mine; END IF;
          l := array_position(limits, ended_limit[h]);
          IF l IS NOT NULL THEN mine := l || mine; END IF;
          is_grouped := ended_named[h] IS NOT NULL;
          IF is_grouped THEN
            IF ended_named[h] IS DISTINCT FROM named_now THEN
              IF group_used <> 0 OR group_reserved <> 0 THEN
                FOREACH g IN ARRAY at_named LOOP used[g] := used[g] + group_used; reserved[g] := reserved[g] + group_reserved; END LOOP;
                group_used := 0; group_reserved := 0;
              END IF;
              named_now := ended_named[h]; named := named_now::uuid[]; at_named := '{}'; group_since := NULL;
              FOR r IN 1..cardinality(named) LOOP
                g := array_position(limits, named[r]); at_named := g || at_named; group_since := greatest(group_since, begins[g]);
              END LOOP;
            END IF;
            IF (p_extend[i] AND p_actual[i] > held) OR ended_at[h] < group_since THEN
              IF group_used <> 0 OR group_reserved <> 0 THEN
                FOREACH g IN ARRAY at_named LOOP used[g] := used[g] + group_used; reserved[g] := reserved[g] + group_reserved; END LOOP;
                group_used := 0; group_reserved := 0;
              END IF;
              is_grouped := false; mine := at_named || mine;
            END IF;
          END IF;
        END IF;
        IF o IS NULL OR (k IS NULL AND ended_key[h] IS NOT NULL) OR (ended_limit[h] IS NOT NULL AND array_position(limits, ended_limit[h]) IS NULL)
          OR (ended_named[h] IS NOT NULL AND array_position(at_named, NULL) IS NOT NULL) THEN
          -- The hold appeared after the rows were locked: start again, with its rows too.
          RAISE EXCEPTION 'a hold appeared' USING ERRCODE = 'serialization_failure';
        END IF;
        amount := greatest(0, least(p_actual[i], held));
        IF p_extend[i] AND p_actual[i] > held THEN
          -- In the windows that are now: those of its hold may have ended.
          free := NULL;
          FOREACH l IN ARRAY mine LOOP free := least(free, caps[l] - used[l] - reserved[l]); END LOOP;
          amount := least(p_actual[i], held + greatest(0, free));
          IF amount < p_actual[i] THEN
            l := (SELECT m FROM unnest(mine) WITH ORDINALITY u (m, n) ORDER BY caps[m] - used[m] - reserved[m], u.n LIMIT 1);
            limited := CASE WHEN l > of_day THEN 'account_day' WHEN l > of_period THEN 'key_period' WHEN l > of_owner THEN 'balance'
              WHEN l > of_key THEN 'key_budget' WHEN limits[l] = ended_limit[h] THEN 'conversation' ELSE 'budget' END;
            short := limit_shown(limits[l], ended_key[h], limited, caps[l], used[l] + amount, reserved[l] - held, ends[l]);
          END IF;
        END IF;
        settled := 'done'; is_changed := true;
        IF amount > 0 THEN chains[o] := ledger_link(chains[o], owners[o], at, -amount, p_ended[i], ended_key[h], NULL); END IF;
        IF ended_channel[h] <> 'agent' THEN calling[o] := calling[o] - coalesce(ended_calls[h], 1); END IF;
        FOREACH l IN ARRAY mine LOOP
          IF is_plain OR (ended_at[h] < begins[l]) IS NOT TRUE THEN
            used[l] := used[l] + amount; reserved[l] := reserved[l] - held;
          ELSIF amount > held THEN
            used[l] := used[l] + amount - held;
          END IF;
        END LOOP;
        IF is_grouped THEN group_used := group_used + amount; group_reserved := group_reserved - held; END IF;
      END IF;
      s_outcome[i] := settled; s_charged[i] := amount;
      IF keeps THEN s_limited[i] := limited; END IF;
      RETURN NEXT;
      IF short IS NOT NULL THEN short := NULL; END IF;
    END LOOP;
    settled := NULL; held := NULL; limited := NULL;
    IF group_used <> 0 OR group_reserved <> 0 THEN
      FOREACH g IN ARRAY at_named LOOP used[g] := used[g] + group_used; reserved[g] := reserved[g] + group_reserved; END LOOP;
      group_used := 0; group_reserved := 0;
    END IF;

    IF ended IS NOT NULL THEN
      WITH gone AS (
        DELETE FROM hold y WHERE y.id = ANY (ended) RETURNING y.id, y.created_at, y.amount, y.limit_id, y.owner_id, y.key_id, y.channel,
          y.product, y.what, y.customer_id, y.limits, y.calls, array_position(p_ended, y.id) AS n
      ), over AS (
        SELECT g.* FROM gone g WHERE g.calls IS NULL OR p_status[g.n] = 'expired'
        UNION ALL SELECT p_split[x.i], x.at, p_split_amount[x.i], NULL, p_split_owner[x.i], p_split_key[x.i], p_split_channel[x.i],
            p_split_product[x.i], p_split_what[x.i], NULL, x.named::uuid[], NULL, array_position(p_ended, p_split[x.i])
          FROM unnest(splits, splits_at, splits_named) x (i, at, named) WHERE x.i IS NOT NULL
      ), described AS (
        SELECT g.*, CASE WHEN g.customer_id IS NULL AND g.limits IS NULL THEN p_detail[g.n] ELSE coalesce(p_detail[g.n], '{}')
          || jsonb_strip_nulls(jsonb_build_object('customerId', g.customer_id, 'limits', to_jsonb(g.limits))) END AS detail FROM over g
      ), receipts AS (
        INSERT INTO receipt (id, at, started_at, held, charged, limit_id, owner_id, key_id, status, channel, product, what, customer_id, detail, seal)
        SELECT g.id, at, g.created_at, g.amount, s_charged[g.n], g.limit_id, g.owner_id, g.key_id, p_status[g.n],
          g.channel, g.product, g.what, g.customer_id, g.detail, receipt_seal(g.id, at, g.created_at, g.amount, s_charged[g.n], g.limit_id,
          g.owner_id, g.key_id, p_status[g.n], g.channel, g.product, g.what, g.detail) FROM described g
      )
      -- In the order in which they were chained.
      INSERT INTO ledger (at, amount, hold_id, owner_id, key_id)
        SELECT at, -s_charged[g.n], g.id, g.owner_id, g.key_id FROM over g WHERE s_charged[g.n] > 0 ORDER BY g.n;
    END IF;
    IF keeps THEN
      -- A metered call that exhausted the credits stores only the limit: its repeat is the same
      -- 402.
      WITH stored AS (
        UPDATE idempotency i SET status = CASE WHEN u.dry THEN 402 ELSE u.reply_status END,
          answer = CASE WHEN u.dry THEN u.limited ELSE u.reply_answer END, charged = u.charged, created_at = now(),
          seal = response_seal(i.hold_id, i.body_hash, CASE WHEN u.dry THEN 402 ELSE u.reply_status END,
            CASE WHEN u.dry THEN u.limited ELSE u.reply_answer END, u.charged)
          FROM (SELECT v.*, v.limited IS NOT NULL AND v.reply_status < 400 AS dry
            FROM unnest(p_ended, s_charged, s_outcome, s_limited, p_status, p_reply_status, p_reply_answer)
            AS v (id, charged, outcome, limited, status, reply_status, reply_answer)) u
          WHERE i.hold_id = u.id AND u.outcome = 'done' AND u.reply_status IS NOT NULL
            AND (u.charged > 0 OR u.status = 'ok')
          RETURNING i.hold_id, octet_length(i.answer) AS bytes
      )
      INSERT INTO idempotency_hour AS y (owner_id, hour, bytes)
        SELECT ended_owner[array_position(ended, s.hold_id)], date_trunc('hour', now()), sum(s.bytes) FROM stored s GROUP BY 1
        ON CONFLICT ON CONSTRAINT idempotency_hour_pkey DO UPDATE SET bytes = y.bytes + excluded.bytes;
      DELETE FROM idempotency i WHERE i.hold_id = ANY (p_ended) AND i.status IS NULL;
    END IF;
  END IF;

  IF p_id <> '{}' THEN
    is_repeated := EXISTS (SELECT 1 FROM hold y WHERE y.id = ANY (p_id)) OR EXISTS (SELECT 1 FROM receipt c WHERE c.id = ANY (p_id));
    FOR i IN 1..cardinality(p_id) LOOP
      CONTINUE WHEN let_in[p_after[i]] IS DISTINCT FROM p_version[i];
      n := i; outcome := NULL; amount := 0; held := NULL;
      IF reply_status IS NOT NULL OR reply_answer IS NOT NULL THEN
        reply_status := NULL; reply_answer := NULL; reply_charged := NULL;
      END IF;
      first_n := array_position(p_id, p_id[i]);
      k := array_position(keys, p_key[i]);
      o := array_position(owners, p_owner[i]);
      mine := CASE WHEN k IS NULL THEN ARRAY[of_owner + o] ELSE ARRAY[of_key + k, of_owner + o] END;
      IF NOT is_plain THEN
        IF has_windows AND k IS NOT NULL THEN mine := of_period + k || mine; END IF;
        IF has_days THEN mine := of_day + o || mine; END IF;
        l := array_position(limits, p_limit[i]);
        IF limit_owner[l] = p_owner[i] THEN mine := l || mine; ELSE l := NULL; END IF;
        IF p_from[i] IS NOT NULL THEN
          IF p_from[i] IS DISTINCT FROM from_now THEN
            IF group_used <> 0 OR group_reserved <> 0 THEN
              FOREACH g IN ARRAY at_named LOOP used[g] := used[g] + group_used; reserved[g] := reserved[g] + group_reserved; END LOOP;
              group_used := 0; group_reserved := 0;
            END IF;
            from_now := p_from[i]; at_named := '{}'; group_free := NULL;
            FOR r IN from_now..p_to[i] LOOP
              g := array_position(limits, p_row[r]); at_named := g || at_named;
              group_free := least(group_free, caps[g] - used[g] - reserved[g]);
            END LOOP;
          END IF;
        END IF;
      ELSE
        l := NULL;
      END IF;
      IF is_repeated THEN
        SELECT x.* INTO stored FROM (
          SELECT 'again' AS outcome, y.amount, y.created_at AS at, y.limits FROM hold y WHERE y.id = p_id[i]
          UNION ALL SELECT 'settled', c.charged, c.started_at, NULL FROM receipt c WHERE c.id = p_id[i]) x;
        outcome := stored.outcome; amount := coalesce(stored.amount, 0);
      END IF;

      IF first_n < i THEN
        outcome := CASE r_outcome[first_n] WHEN 'held' THEN 'again' ELSE r_outcome[first_n] END;
        amount := coalesce(r_amount[first_n], 0);
      ELSIF p_product[i] IS NULL THEN
        IF outcome IS NULL THEN
          outcome := 'again';
        ELSIF outcome = 'again' AND amount < p_least[i] THEN
          -- Counted where the hold is: not in a window that began after it.
          IF group_used <> 0 OR group_reserved <> 0 THEN
            FOREACH g IN ARRAY at_named LOOP used[g] := used[g] + group_used; reserved[g] := reserved[g] + group_reserved; END LOOP;
            group_used := 0; group_reserved := 0;
          END IF;
          from_now := NULL;
          mine := ARRAY(SELECT m FROM unnest(mine || ARRAY(SELECT array_position(limits, u.id) FROM unnest(stored.limits) u (id))) m
            WHERE (stored.at < begins[m]) IS NOT TRUE AND m IS NOT NULL);
          free := NULL;
          FOREACH l IN ARRAY mine LOOP free := least(free, caps[l] - used[l] - reserved[l]); END LOOP;
          IF amount + free >= p_least[i] + p_remaining[i] THEN
            free := least(p_most[i] - amount, free - p_remaining[i]); amount := amount + free;
            UPDATE hold y SET amount = credits_batch.amount WHERE y.id = p_id[i];
            is_changed := true;
            FOREACH l IN ARRAY mine LOOP reserved[l] := reserved[l] + free; END LOOP;
          END IF;
        END IF;
      ELSIF outcome IS NOT NULL THEN
        NULL;
      ELSIF p_key[i] IS NOT NULL AND (key_valid[k] AND key_owner[k] = p_owner[i]) IS NOT TRUE THEN
        outcome := 'key_gone';
      ELSIF suspended[o] IS NOT NULL THEN
        outcome := 'suspended'; reply_answer := suspended[o];
      ELSE
        call_token := p_token[i];
        IF call_token IS NOT NULL THEN
          SELECT y.* INTO stored FROM idempotency y WHERE y.key_id = p_key[i] AND y.token = call_token;
          IF FOUND AND stored.status IS NOT NULL AND stored.created_at < now() - interval '24 hours' THEN
            DELETE FROM idempotency y WHERE y.key_id = p_key[i] AND y.token = call_token;
          ELSIF FOUND THEN
            outcome := CASE WHEN stored.body_hash <> p_body[i] THEN 'mismatch'
              WHEN stored.status IS NULL THEN 'in_flight' ELSE 'replay' END;
            IF outcome = 'replay' AND replayed > 16777216 THEN
              outcome := 'in_flight';
            ELSIF outcome = 'replay' THEN
              replayed := replayed + octet_length(stored.answer);
              reply_status := stored.status; reply_answer := stored.answer; reply_charged := stored.charged;
            END IF;
          END IF;
        END IF;
        IF outcome IS NOT NULL THEN
          NULL;
        ELSIF versions[o] <> p_budgets[i] OR (p_from[i] IS NOT NULL AND array_position(at_named, NULL) IS NOT NULL) THEN
          outcome := 'stale'; amount := versions[o];
        ELSIF p_channel[i] <> 'agent' AND calling[o] + coalesce(4 * p_calls[i], 0) >= max_calls[o] THEN
          outcome := 'busy'; amount := max_calls[o];
        ELSIF o IS NULL OR (l IS NULL AND p_limit[i] IS NOT NULL) THEN
          outcome := CASE WHEN o IS NULL THEN 'balance' ELSE 'conversation' END;
        ELSE
          free := CASE WHEN p_from[i] IS NOT NULL THEN group_free END;
          FOREACH l IN ARRAY mine LOOP free := least(free, caps[l] - used[l] - reserved[l]); END LOOP;
          IF free >= p_least[i] + p_remaining[i] THEN
            outcome := 'held'; amount := least(p_most[i], free - p_remaining[i]); is_changed := true;
            FOREACH l IN ARRAY mine LOOP reserved[l] := reserved[l] + amount; END LOOP;
            IF p_from[i] IS NOT NULL THEN group_reserved := group_reserved + amount; group_free := group_free - amount; END IF;
            IF p_channel[i] <> 'agent' THEN calling[o] := calling[o] + coalesce(p_calls[i], 1); END IF;
            IF call_token IS NOT NULL THEN
              INSERT INTO idempotency (key_id, token, body_hash, hold_id) VALUES (p_key[i], call_token, p_body[i], p_id[i]);
              IF (SELECT sum(y.bytes) FROM idempotency_hour y WHERE y.owner_id = p_owner[i]
                AND y.hour > now() - interval '24 hours') >= 4294967296 THEN reason := 'full'; END IF;
            END IF;
          ELSE
            IF p_from[i] IS NOT NULL THEN
              IF group_used <> 0 OR group_reserved <> 0 THEN
                FOREACH g IN ARRAY at_named LOOP used[g] := used[g] + group_used; reserved[g] := reserved[g] + group_reserved; END LOOP;
                group_used := 0; group_reserved := 0;
              END IF;
              mine := at_named || mine;
            END IF;
            -- One that is spent first, else the one that leaves least: what is held comes back.
            SELECT u.m, caps[u.m] - used[u.m] < p_least[i] + p_remaining[i] AS is_spent INTO stored
              FROM unnest(mine) WITH ORDINALITY u (m, n) WHERE caps[u.m] - used[u.m] - reserved[u.m] < p_least[i] + p_remaining[i]
              ORDER BY is_spent DESC, caps[u.m] - used[u.m] - reserved[u.m], u.n LIMIT 1;
            l := stored.m; amount := caps[l] - used[l] - reserved[l];
            IF NOT stored.is_spent THEN held := reserved[l]; END IF;
            outcome := CASE WHEN l > of_day THEN 'account_day' WHEN l > of_period THEN 'key_period' WHEN l > of_owner THEN 'balance'
              WHEN l > of_key THEN 'key_budget' WHEN limits[l] = p_limit[i] THEN 'conversation' ELSE 'budget' END;
            short := limit_shown(limits[l], p_key[i], outcome, caps[l], used[l], reserved[l], ends[l]);
          END IF;
        END IF;
      END IF;
      r_outcome[i] := outcome; r_amount[i] := amount;
      RETURN NEXT;
      IF reason IS NOT NULL THEN reason := NULL; END IF;
      IF short IS NOT NULL THEN short := NULL; END IF;
    END LOOP;
    IF group_used <> 0 OR group_reserved <> 0 THEN
      FOREACH g IN ARRAY at_named LOOP used[g] := used[g] + group_used; reserved[g] := reserved[g] + group_reserved; END LOOP;
      group_used := 0; group_reserved := 0;
    END IF;
    IF 'held' = ANY (r_outcome) THEN
      INSERT INTO hold (id, amount, created_at, holder_id, limit_id, owner_id, key_id, channel, product, what, keeps_answer, customer_id, limits, calls)
        SELECT p_id[u.i], r_amount[u.i], at, p_holder, p_limit[u.i], p_owner[u.i], p_key[u.i], p_channel[u.i], p_product[u.i],
          p_what[u.i], p_token[u.i] IS NOT NULL, p_customer[u.i], p_row[p_from[u.i]:p_to[u.i]], p_calls[u.i]
        FROM generate_series(1, cardinality(p_id)) AS u (i) WHERE r_outcome[u.i] = 'held';
    END IF;
  END IF;

  IF is_changed THEN
    IF has_limits THEN
      UPDATE spend_limit s SET spent = used[array_position(limits, s.id)], held = reserved[array_position(limits, s.id)],
          starts_at = begins[array_position(limits, s.id)], ends_at = ends[array_position(limits, s.id)]
        WHERE s.id = ANY (limits);
    END IF;
    IF has_windows THEN
      UPDATE "key" y SET spent = used[of_key + x.k], held = reserved[of_key + x.k],
          period_start = begins[of_period + x.k], period_end = ends[of_period + x.k],
          period_spent = CASE WHEN y.period IS NULL THEN 0 ELSE used[of_period + x.k] END,
          period_held = CASE WHEN y.period IS NULL THEN 0 ELSE reserved[of_period + x.k] END
        FROM unnest(keys) WITH ORDINALITY x (key_id, k) WHERE y.id = x.key_id;
    ELSE
      UPDATE "key" y SET spent = used[of_key + array_position(keys, y.id)], held = reserved[of_key + array_position(keys, y.id)]
        WHERE y.id = ANY (keys);
    END IF;
    UPDATE account a SET available = caps[of_owner + array_position(owners, a.owner_id)] - used[of_owner + array_position(owners, a.owner_id)]
          - reserved[of_owner + array_position(owners, a.owner_id)],
        held = reserved[of_owner + array_position(owners, a.owner_id)], chain = chains[array_position(owners, a.owner_id)],
        calls = greatest(0, calling[array_position(owners, a.owner_id)])
      WHERE a.owner_id = ANY (owners);
    IF has_days THEN
      UPDATE account a SET day_start = begins[of_day + x.o], day_spent = used[of_day + x.o], day_held = reserved[of_day + x.o]
        FROM unnest(owners) WITH ORDINALITY x (owner_id, o) WHERE a.owner_id = x.owner_id AND a.day_credits IS NOT NULL;
    END IF;
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION public.credits_dead_holds(p_max integer, p_skip uuid[])
 RETURNS SETOF uuid
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF credits_tick() > now() - interval '25 seconds' THEN RETURN; END IF;
  RETURN QUERY SELECT h.id FROM hold h LEFT JOIN holder p ON p.id = h.holder_id
    WHERE (p.id IS NULL OR p.lease_until < now()) AND h.id <> ALL (p_skip) ORDER BY h.id LIMIT p_max;
END $function$;

CREATE OR REPLACE FUNCTION public.credits_forget_holders()
 RETURNS void
 LANGUAGE sql
AS $function$
  DELETE FROM holder p WHERE p.lease_until < now() - interval '1 hour'
    AND NOT EXISTS (SELECT 1 FROM hold h WHERE h.holder_id = p.id);
$function$;

CREATE OR REPLACE FUNCTION public.credits_grant(p_owner integer, p_amount bigint, p_note text)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
DECLARE balance bigint;
BEGIN
  INSERT INTO account (owner_id, available, held) VALUES (p_owner, 0, 0) ON CONFLICT (owner_id) DO NOTHING;
  UPDATE account SET available = available + p_amount,
      topped_up = CASE WHEN p_amount > 0 THEN available + held + p_amount ELSE topped_up END,
      topped_up_at = CASE WHEN p_amount > 0 THEN clock_timestamp() ELSE topped_up_at END
    WHERE owner_id = p_owner AND available + p_amount >= 0
    RETURNING available INTO balance;
  IF balance IS NOT NULL THEN
    PERFORM ledger_write(p_owner, p_amount, NULL, NULL, p_note);
  END IF;
  RETURN balance;
END $function$;

CREATE OR REPLACE FUNCTION public.credits_refund(p_id uuid, p_status text, p_note text)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
DECLARE r receipt;
BEGIN
  SELECT c.* INTO r FROM receipt c WHERE c.id = p_id;
  IF NOT FOUND THEN RETURN 0; END IF;
  PERFORM limits_lock(r);
  SELECT c.* INTO r FROM receipt c WHERE c.id = p_id;
  IF r.charged = 0 THEN RETURN 0; END IF;
  PERFORM ledger_write(r.owner_id, r.charged, r.id, r.key_id, p_note);
  UPDATE receipt c SET charged = 0, status = coalesce(p_status, c.status),
    detail = coalesce(c.detail, '{}') || jsonb_build_object('refunded', r.charged) WHERE c.id = p_id;
  PERFORM receipt_seal_again(p_id);
  PERFORM limits_recount(r, 0);
  DELETE FROM idempotency i WHERE i.hold_id = p_id;
  RETURN r.charged;
END $function$;

CREATE OR REPLACE FUNCTION public.credits_refund_call(p_id uuid, p_credits bigint, p_note text)
 RETURNS TABLE(outcome text, credits bigint, owner_id integer)
 LANGUAGE plpgsql
AS $function$
DECLARE r receipt;
BEGIN
  SELECT * INTO r FROM receipt c WHERE c.id = p_id;
  outcome := 'unknown'; credits := 0;
  IF NOT FOUND THEN RETURN NEXT; RETURN; END IF;
  PERFORM limits_lock(r);
  SELECT * INTO r FROM receipt c WHERE c.id = p_id;
  owner_id := r.owner_id;
  SELECT l.amount INTO credits FROM ledger l WHERE l.hold_id = p_id AND l.amount > 0;
  IF FOUND THEN
    outcome := 'again';
  ELSIF r.charged = 0 THEN
    outcome := 'uncharged'; credits := 0;
  ELSIF p_credits > r.charged THEN
    outcome := 'more'; credits := r.charged;
  ELSE
    outcome := 'done'; credits := coalesce(p_credits, r.charged);
    PERFORM ledger_write(r.owner_id, credits, r.id, r.key_id, p_note);
    UPDATE receipt c SET charged = c.charged - credits,
      detail = coalesce(c.detail, '{}') || jsonb_build_object('refunded', credits) WHERE c.id = p_id;
    PERFORM receipt_seal_again(p_id);
    PERFORM limits_recount(r, r.charged - credits);
  END IF;
  RETURN NEXT;
END $function$;

CREATE OR REPLACE FUNCTION public.credits_renew(p_holder uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO holder (id, lease_until) VALUES (p_holder, clock_timestamp() + interval '45 seconds')
    ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until;
  PERFORM credits_tick();
END $function$;

CREATE OR REPLACE FUNCTION public.credits_repair(p_owner integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM 1 FROM spend_limit s WHERE s.owner_id = p_owner ORDER BY s.id FOR NO KEY UPDATE;
  PERFORM 1 FROM "key" k WHERE k.owner_id = p_owner ORDER BY k.id FOR NO KEY UPDATE;
  PERFORM 1 FROM account a WHERE a.owner_id = p_owner FOR NO KEY UPDATE;
  UPDATE spend_limit s SET held = n.held, spent = n.spent FROM (
      SELECT x.id, coalesce(h.sum, 0) AS held, coalesce(r.sum, 0) + coalesce(d.charged, 0) AS spent FROM spend_limit x
      LEFT JOIN (SELECT u.id, sum(y.amount) FROM hold y CROSS JOIN LATERAL unnest(y.limit_id || y.limits) u (id)
        JOIN spend_limit l ON l.id = u.id AND (y.created_at >= l.starts_at) IS NOT FALSE WHERE y.owner_id = p_owner GROUP BY u.id) h ON h.id = x.id
      LEFT JOIN (SELECT u.id, sum(CASE WHEN l.starts_at IS NULL THEN c.charged ELSE charged_in_period(c, l.starts_at, c.charged) END)
        FROM receipt c CROSS JOIN LATERAL unnest(limits_named(c)) u (id) JOIN spend_limit l ON l.id = u.id
        WHERE c.owner_id = p_owner AND (c.limit_id IS NOT NULL OR c.detail ? 'limits') GROUP BY u.id) r ON r.id = x.id
      LEFT JOIN deleted_spend d ON d.limit_id = x.id AND x.starts_at IS NULL WHERE x.owner_id = p_owner
        AND (x.starts_at >= coalesce((SELECT cutoff FROM retention WHERE name = 'receipts'), '-infinity')) IS NOT FALSE) n
    WHERE s.id = n.id AND (s.held, s.spent) <> (n.held, n.spent) AND (s.budget_id IS NOT NULL OR n.spent + n.held <= s.cap);
  UPDATE "key" k SET held = n.held, spent = n.spent FROM (
      SELECT x.id, coalesce(h.sum, 0) AS held, coalesce(l.sum, 0) AS spent FROM "key" x
      LEFT JOIN (SELECT key_id, sum(amount) FROM hold WHERE owner_id = p_owner GROUP BY key_id) h ON h.key_id = x.id
      LEFT JOIN (SELECT key_id, -sum(amount) AS sum FROM ledger WHERE owner_id = p_owner GROUP BY key_id) l ON l.key_id = x.id
      WHERE x.owner_id = p_owner) n
    WHERE k.id = n.id AND (k.held, k.spent) <> (n.held, n.spent) AND n.spent >= 0
      AND (k.budget IS NULL OR n.spent + n.held <= k.budget);
  -- As `key_period` of ledger verify: only of windows whose receipts are all kept.
  UPDATE "key" k SET period_held = n.held, period_spent = n.spent FROM (
      SELECT x.id, coalesce(h.sum, 0) AS held, coalesce(r.sum, 0) AS spent FROM "key" x
      LEFT JOIN LATERAL (SELECT sum(charged_in_period(c, x.period_start, c.charged)) FROM receipt c
        WHERE c.key_id = x.id AND c.at >= x.period_start) r ON true
      LEFT JOIN LATERAL (SELECT sum(amount) FROM hold WHERE key_id = x.id AND created_at >= x.period_start) h ON true
      WHERE x.owner_id = p_owner
        AND x.period_start >= coalesce((SELECT cutoff FROM retention WHERE name = 'receipts'), '-infinity')) n
    WHERE k.id = n.id AND (k.period_held, k.period_spent) <> (n.held, n.spent) AND n.spent + n.held <= k.period_budget;
  UPDATE account a SET day_held = n.held, day_spent = n.spent FROM (
      SELECT x.owner_id, coalesce((SELECT sum(h.amount) FROM hold h WHERE h.owner_id = p_owner AND h.created_at >= x.day_start), 0) AS held,
        coalesce((SELECT sum(charged_in_period(c, x.day_start, c.charged)) FROM receipt c
          WHERE c.owner_id = p_owner AND c.at >= x.day_start), 0) AS spent
      FROM account x WHERE x.owner_id = p_owner
        AND x.day_start >= coalesce((SELECT cutoff FROM retention WHERE name = 'receipts'), '-infinity')) n
    WHERE a.owner_id = n.owner_id AND (a.day_held, a.day_spent) <> (n.held, n.spent);
  UPDATE account a SET held = n.held, available = n.total - n.held, calls = n.calls FROM (
      SELECT (SELECT coalesce(sum(l.amount), 0) FROM ledger l WHERE l.owner_id = p_owner) AS total,
        coalesce(sum(h.amount), 0) AS held, coalesce(sum(coalesce(h.calls, 1)) FILTER (WHERE h.channel <> 'agent'), 0) AS calls
      FROM hold h WHERE h.owner_id = p_owner) n
    WHERE a.owner_id = p_owner AND (a.held, a.available, a.calls) <> (n.held, n.total - n.held, n.calls) AND n.total >= n.held;
END $function$;

CREATE OR REPLACE FUNCTION public.credits_settle(p_id uuid[], p_actual bigint[], p_extend boolean[], p_status text[], p_detail jsonb[], p_reply_status integer[], p_reply_answer text[])
 RETURNS TABLE(n integer, outcome text, charged bigint, held bigint, limited text)
 LANGUAGE plpgsql
AS $function$
BEGIN
  RETURN QUERY SELECT b.n, b.settled, b.amount, b.held, b.limited
    FROM credits_batch('{}', NULL, p_id, p_actual, p_extend, p_status, p_detail, p_reply_status, p_reply_answer,
      NULL, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', NULL, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}',
      '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}') b;
END $function$;

CREATE OR REPLACE FUNCTION public.credits_settle_late(p_id uuid, p_actual bigint, p_extend boolean, p_status text, p_detail jsonb, p_reply_status integer, p_reply_answer text)
 RETURNS TABLE(outcome text, charged bigint, held bigint, limited text)
 LANGUAGE plpgsql
AS $function$
DECLARE
  r receipt; sent jsonb; wanted bigint; free bigint; is_dry boolean; is_now boolean;
BEGIN
  outcome := 'unknown'; charged := 0; held := 0;
  SELECT * INTO r FROM receipt c WHERE c.id = p_id;
  IF NOT FOUND THEN RETURN NEXT; RETURN; END IF;
  PERFORM limits_lock(r);
  SELECT * INTO r FROM receipt c WHERE c.id = p_id;
  outcome := 'again'; charged := r.charged; held := r.held;
  IF r.status <> 'expired' THEN RETURN NEXT; RETURN; END IF;

  sent := r.detail -> 'idempotency';
  PERFORM 1 FROM mcp_task t WHERE t.id = p_id FOR UPDATE;
  IF NOT EXISTS (SELECT 1 FROM account a WHERE a.owner_id = r.owner_id) OR EXISTS (SELECT 1 FROM idempotency i WHERE i.key_id = r.key_id AND i.token = sent ->> 'token')
    OR EXISTS (SELECT 1 FROM mcp_task t WHERE t.id = p_id AND t.is_lost)
  THEN
    outcome := 'expired'; RETURN NEXT; RETURN;
  END IF;

  -- In a window or day that began since, nothing of it counts; beyond its hold it takes nothing
  -- then.
  SELECT min(x.left) FILTER (WHERE (r.started_at >= x.starts_at) IS NOT FALSE), bool_and((r.started_at >= x.starts_at) IS NOT FALSE)
    INTO free, is_now FROM limits_of(r) x;
  wanted := greatest(0, CASE WHEN p_extend AND is_now THEN p_actual ELSE least(p_actual, r.held) END);
  free := greatest(0, free); outcome := 'done'; charged := least(wanted, free);
  IF p_extend AND charged < p_actual THEN
    SELECT x.source INTO limited FROM limits_of(r) x WHERE (r.started_at >= x.starts_at) IS NOT FALSE ORDER BY x.left LIMIT 1;
  END IF;
  IF charged > 0 THEN
    PERFORM ledger_write(r.owner_id, -charged, r.id, r.key_id, NULL);
    PERFORM limits_recount(r, charged);
  END IF;
  IF wanted > charged THEN
    p_detail := coalesce(p_detail, '{}')
      || jsonb_build_object('loss', coalesce((p_detail ->> 'loss')::bigint, 0) + wanted - charged);
  END IF;
  p_detail := coalesce(p_detail, '{}') || jsonb_strip_nulls(jsonb_build_object('customerId', r.customer_id, 'limits', r.detail -> 'limits'));
  UPDATE receipt c SET charged = credits_settle_late.charged, status = p_status, detail = nullif(p_detail, '{}') WHERE c.id = p_id;
  PERFORM receipt_seal_again(p_id);
  IF sent IS NOT NULL AND p_reply_status IS NOT NULL AND (charged > 0 OR p_status = 'ok') THEN
    -- As in credits_batch: of a call that exhausted the credits, only the limit is stored.
    is_dry := limited IS NOT NULL AND p_reply_status < 400;
    p_reply_answer := CASE WHEN is_dry THEN limited ELSE p_reply_answer END;
    p_reply_status := CASE WHEN is_dry THEN 402 ELSE p_reply_status END;
    INSERT INTO idempotency (key_id, token, body_hash, hold_id, status, answer, charged, seal)
      VALUES (r.key_id, sent ->> 'token', decode(sent ->> 'body', 'hex'), r.id, p_reply_status, p_reply_answer, charged,
        response_seal(r.id, decode(sent ->> 'body', 'hex'), p_reply_status, p_reply_answer, charged));
    INSERT INTO idempotency_hour AS y (owner_id, hour, bytes)
      VALUES (r.owner_id, date_trunc('hour', now()), octet_length(p_reply_answer))
      ON CONFLICT ON CONSTRAINT idempotency_hour_pkey DO UPDATE SET bytes = y.bytes + excluded.bytes;
  END IF;
  UPDATE mcp_task t SET ended_at = clock_timestamp() WHERE t.id = p_id AND t.ended_at IS NULL;
  RETURN NEXT;
END $function$;

CREATE OR REPLACE FUNCTION public.credits_sweep_holds(p_ids uuid[])
 RETURNS TABLE(swept integer, credits bigint)
 LANGUAGE plpgsql
AS $function$
DECLARE ids uuid[]; details jsonb[];
BEGIN
  SELECT array_agg(h.id), array_agg(CASE WHEN h.keeps_answer THEN (
      SELECT jsonb_build_object('idempotency', jsonb_build_object('token', i.token, 'body', encode(i.body_hash, 'hex')))
      FROM idempotency i WHERE i.hold_id = h.id AND i.status IS NULL) END)
    INTO ids, details FROM hold h LEFT JOIN holder p ON p.id = h.holder_id
    WHERE h.id = ANY (p_ids) AND (p.id IS NULL OR p.lease_until < now());
  swept := 0; credits := 0;
  IF ids IS NOT NULL THEN
    SELECT count(*), coalesce(sum(s.held), 0) INTO swept, credits FROM credits_settle(
      ids, array_fill(0::bigint, ARRAY[cardinality(ids)]), array_fill(false, ARRAY[cardinality(ids)]),
      array_fill('expired'::text, ARRAY[cardinality(ids)]), details,
      array_fill(NULL::int, ARRAY[cardinality(ids)]), array_fill(NULL::text, ARRAY[cardinality(ids)])) s
      WHERE s.outcome = 'done';
  END IF;
  RETURN NEXT;
END $function$;

CREATE OR REPLACE FUNCTION public.credits_tick()
 RETURNS timestamp with time zone
 LANGUAGE sql
AS $function$
  INSERT INTO credits_clock AS c (id, seen_at, up_since) VALUES (1, clock_timestamp(), clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET seen_at = greatest(c.seen_at, excluded.seen_at),
      up_since = CASE WHEN c.seen_at < excluded.seen_at - interval '20 seconds' THEN excluded.seen_at ELSE c.up_since END
    RETURNING c.up_since;
$function$;

CREATE OR REPLACE FUNCTION public.customers_named(p_owner integer[], p_name text[], p_hash text[])
 RETURNS TABLE(n integer, id integer)
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO customer (owner_id, name, hash)
    SELECT DISTINCT ON (u.owner_id, u.name) u.owner_id, u.name, u.hash FROM unnest(p_owner, p_name, p_hash) u (owner_id, name, hash)
    WHERE NOT EXISTS (SELECT 1 FROM customer c WHERE c.owner_id = u.owner_id AND c.name = u.name)
    ORDER BY u.owner_id, u.name
    ON CONFLICT (owner_id, name) DO NOTHING;
  RETURN QUERY SELECT u.n::int, c.id FROM unnest(p_owner, p_name) WITH ORDINALITY u (owner_id, name, n)
    JOIN customer c ON c.owner_id = u.owner_id AND c.name = u.name;
END $function$;

CREATE OR REPLACE FUNCTION public.database_ready()
 RETURNS void
 LANGUAGE plpgsql
 SET work_mem TO '64kB'
AS $function$
DECLARE rows int;
BEGIN
  IF pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean THEN
    RAISE EXCEPTION 'the database is read-only' USING ERRCODE = 'read_only_sql_transaction';
  END IF;
  SELECT count(*) INTO rows FROM (SELECT i FROM generate_series(1, 5000) i ORDER BY md5(i::text) OFFSET 1) sorted;
  PERFORM pg_logical_emit_message(true, 'tollgate', 'ready?');
END $function$;

CREATE OR REPLACE FUNCTION public.first_instant(p_local timestamp without time zone, p_zone text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  SELECT coalesce(min(t.at), p_local AT TIME ZONE p_zone)
  FROM (SELECT (p_local AT TIME ZONE p_zone) - n * interval '30 minutes' AS at FROM generate_series(0, 4) n) t
  WHERE t.at AT TIME ZONE p_zone = p_local
$function$;

CREATE OR REPLACE FUNCTION public.keys_authenticate(p_hash bytea[], p_owner_rpm integer, p_times integer[])
 RETURNS TABLE(n integer, state text, key_id integer, owner_id integer, rpm integer, remaining integer, reset_s integer, grants_version integer, reason text)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_material TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
DECLARE
  at timestamptz := clock_timestamp();
  hashes bytea[]; keys int[]; owners int[]; limits int[]; owner_limits int[]; versions int[]; reasons text[]; verdicts text[]; are_unused boolean[];
  slots text[] := '{}'; ids text[] := '{}'; used int[]; began timestamptz[];
  unused int[] := '{}';
  g int; k int; o int; w int; free int; times int;
BEGIN
  SELECT array_agg(s.hash), array_agg(y.id), array_agg(y.owner_id), array_agg(y.rpm),
      CASE WHEN p_owner_rpm IS NOT NULL THEN array_agg(coalesce(a.max_rpm, p_owner_rpm)) END, array_agg(y.grants_version),
      array_agg(a.suspended_for), array_agg(l.used_at IS NULL OR l.used_at < at - interval '1 minute'),
      array_agg(CASE WHEN y.revoked_at IS NOT NULL THEN 'revoked' WHEN y.expires_at <= at OR s.expires_at <= at THEN 'expired'
        WHEN a.suspended_for IS NOT NULL THEN 'suspended' ELSE 'ok' END)
    INTO hashes, keys, owners, limits, owner_limits, versions, reasons, are_unused, verdicts
    FROM key_secret s JOIN "key" y ON y.id = s.key_id
    LEFT JOIN account a ON a.owner_id = y.owner_id LEFT JOIN key_use l ON l.key_id = y.id
    WHERE s.hash = ANY (p_hash);

  FOR g IN 1..coalesce(cardinality(hashes), 0) LOOP
    IF verdicts[g] = 'ok' THEN
      slots := slots || ('key:' || keys[g]);
      IF p_owner_rpm IS NOT NULL THEN slots := slots || ('owner:' || owners[g]); END IF;
      IF are_unused[g] THEN unused := unused || keys[g]; END IF;
    END IF;
  END LOOP;

  -- The order of the locks: by id. A new or past minute begins now, with 0.
  WHILE NOT slots <@ ids LOOP
    SELECT coalesce(array_agg(x.id), '{}'), array_agg(x.used), array_agg(x.began) INTO ids, used, began FROM (
      SELECT r.id, CASE WHEN r.started_at > at - interval '60 seconds' THEN r.count ELSE 0 END AS used,
        CASE WHEN r.started_at > at - interval '60 seconds' THEN r.started_at ELSE at END AS began
      FROM rate_window r WHERE r.id = ANY (slots) ORDER BY r.id FOR UPDATE) x;
    IF NOT slots <@ ids THEN
      INSERT INTO rate_window (id, started_at, count)
        SELECT DISTINCT s.id, at, 0 FROM unnest(slots) AS s (id) ORDER BY s.id ON CONFLICT (id) DO NOTHING;
    END IF;
  END LOOP;

  FOR i IN 1..cardinality(p_hash) LOOP
    n := i;
    -- Equal hashes are mostly beside each other.
    IF i = 1 OR p_hash[i] <> p_hash[i - 1] THEN
      g := array_position(hashes, p_hash[i]);
      state := coalesce(verdicts[g], 'unknown'); key_id := keys[g]; owner_id := owners[g]; rpm := limits[g];
      grants_version := versions[g]; reason := reasons[g]; remaining := NULL; reset_s := NULL;
      k := array_position(ids, 'key:' || key_id);
      o := CASE WHEN p_owner_rpm IS NOT NULL THEN array_position(ids, 'owner:' || owner_id) END;
    END IF;
    IF verdicts[g] = 'ok' THEN
      w := k; rpm := limits[g]; free := greatest(rpm - used[k], 0);
      IF o IS NOT NULL AND greatest(owner_limits[g] - used[o], 0) < free THEN
        w := o; rpm := owner_limits[g]; free := greatest(rpm - used[o], 0);
      END IF;
      IF free > 0 THEN
        times := coalesce(p_times[i], 1);
        state := 'ok'; remaining := greatest(free - times, 0);
        used[k] := used[k] + times;
        IF o IS NOT NULL THEN used[o] := used[o] + times; END IF;
      ELSE
        state := CASE WHEN w = o THEN 'owner_limited' ELSE 'limited' END; remaining := 0;
      END IF;
      reset_s := least(60, greatest(1, ceil(date_part('epoch', began[w] - at)) + 60));
    END IF;
    RETURN NEXT;
  END LOOP;

  IF slots <> '{}' THEN
    UPDATE rate_window r SET count = used[array_position(ids, r.id)],
        started_at = CASE WHEN r.started_at > at - interval '60 seconds' THEN r.started_at ELSE at END
      WHERE r.id = ANY (ids) AND (r.count <> used[array_position(ids, r.id)] OR r.started_at <= at - interval '60 seconds');
  END IF;
  IF unused <> '{}' THEN
    INSERT INTO key_use (key_id, used_at) SELECT DISTINCT u.id, at FROM unnest(unused) AS u (id) ORDER BY u.id
      ON CONFLICT ON CONSTRAINT key_use_pkey DO UPDATE SET used_at = excluded.used_at;
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION public.ledger_chain(p_owner integer, p_chain bytea, p_from timestamp with time zone, p_to timestamp with time zone, p_last bigint)
 RETURNS bytea
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE l record; chain bytea := p_chain;
BEGIN
  FOR l IN SELECT x.at, x.amount, x.hold_id, x.key_id, x.note FROM ledger x
    WHERE x.owner_id = p_owner AND x.at >= p_from AND x.at < p_to AND x.id <= p_last ORDER BY x.id
  LOOP
    chain := ledger_link(chain, p_owner, l.at, l.amount, l.hold_id, l.key_id, l.note);
  END LOOP;
  RETURN chain;
END $function$;

CREATE OR REPLACE FUNCTION public.ledger_link(p_chain bytea, p_owner integer, p_at timestamp with time zone, p_amount bigint, p_hold uuid, p_key integer, p_note text)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  SELECT sha256(coalesce(p_chain, '') || int4send(p_owner) || timestamptz_send(p_at) || int8send(p_amount)
    || uuid_send(coalesce(p_hold, '00000000-0000-0000-0000-000000000000')) || int4send(coalesce(p_key, 0))
    || coalesce(convert_to(p_note, 'UTF8'), ''))
$function$;

CREATE OR REPLACE FUNCTION public.ledger_write(p_owner integer, p_amount bigint, p_hold uuid, p_key integer, p_note text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE written_at timestamptz := date_trunc('milliseconds', clock_timestamp());
BEGIN
  UPDATE account a SET chain = ledger_link(a.chain, p_owner, written_at, p_amount, p_hold, p_key, p_note)
    WHERE a.owner_id = p_owner;
  INSERT INTO ledger (at, amount, hold_id, owner_id, key_id, note) VALUES (written_at, p_amount, p_hold, p_owner, p_key, p_note);
END $function$;

CREATE OR REPLACE FUNCTION public.limit_shown(p_limit uuid, p_key integer, p_source text, p_cap bigint, p_spent bigint, p_held bigint, p_ends timestamp with time zone)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  SELECT jsonb_build_object(
    'id', CASE p_source WHEN 'balance' THEN 'balance' WHEN 'account_day' THEN 'day' WHEN 'key_budget' THEN 'key:' || p_key
      WHEN 'key_period' THEN 'key:' || p_key || ':' || k.period ELSE coalesce(s.budget_id, p_limit)::text END,
    'row', p_limit,
    'name', CASE p_source WHEN 'balance' THEN 'Balance' WHEN 'account_day' THEN 'Daily limit' WHEN 'conversation' THEN 'Conversation'
      WHEN 'budget' THEN s.name ELSE k.name END,
    'window', CASE p_source WHEN 'account_day' THEN 'day' WHEN 'key_period' THEN k.period WHEN 'budget' THEN coalesce(s.period, 'lifetime')
      ELSE 'lifetime' END,
    'cap', p_cap, 'spent', p_spent, 'held', p_held, 'resetsAt', p_ends)
  FROM (SELECT) one LEFT JOIN "key" k ON k.id = p_key LEFT JOIN spend_limit s ON s.id = p_limit
$function$;

CREATE OR REPLACE FUNCTION public.limit_window(p_limit uuid, p_key integer, p_at timestamp with time zone, OUT begins timestamp with time zone, OUT ends timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE w record;
BEGIN
  SELECT x.period, o.time_zone INTO w FROM (
    SELECT s.period, s.owner_id FROM spend_limit s WHERE s.id = p_limit
    UNION ALL SELECT y.period, y.owner_id FROM "key" y WHERE y.id = p_key AND p_limit IS NULL) x JOIN owner o ON o.id = x.owner_id;
  SELECT b.begins, b.ends INTO begins, ends FROM budget_period(coalesce(w.period, 'day'), coalesce(w.time_zone, 'UTC'), p_at) b;
END $function$;

CREATE OR REPLACE FUNCTION public.limits_lock(r receipt)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM 1 FROM spend_limit s WHERE s.id = ANY (limits_named(r)) ORDER BY s.id FOR NO KEY UPDATE;
  PERFORM 1 FROM "key" y WHERE y.id = r.key_id FOR NO KEY UPDATE;
  PERFORM 1 FROM account a WHERE a.owner_id = r.owner_id FOR NO KEY UPDATE;
END $function$;

CREATE OR REPLACE FUNCTION public.limits_named(r receipt)
 RETURNS uuid[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT array_remove(ARRAY[r.limit_id], NULL) || ARRAY(SELECT e::uuid FROM jsonb_array_elements_text(r.detail -> 'limits') e)
$function$;

CREATE OR REPLACE FUNCTION public.limits_of(r receipt)
 RETURNS TABLE(source text, starts_at timestamp with time zone, "left" bigint)
 LANGUAGE sql
 STABLE
AS $function$
  SELECT CASE WHEN s.budget_id IS NULL THEN 'conversation' ELSE 'budget' END, s.starts_at, s.cap - s.spent - s.held
    FROM spend_limit s WHERE s.id = ANY (limits_named(r))
  UNION ALL SELECT 'key_budget', NULL, y.budget - y.spent - y.held FROM "key" y WHERE y.id = r.key_id
  UNION ALL SELECT 'balance', NULL, a.available FROM account a WHERE a.owner_id = r.owner_id
  UNION ALL SELECT 'key_period', y.period_start, y.period_budget - y.period_spent - y.period_held FROM "key" y WHERE y.id = r.key_id
  UNION ALL SELECT 'account_day', a.day_start, a.day_credits - a.day_spent - a.day_held FROM account a WHERE a.owner_id = r.owner_id
$function$;

CREATE OR REPLACE FUNCTION public.limits_of_customers(p_row uuid[], p_budget uuid[], p_customer integer[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (SELECT 1 FROM unnest(p_row, p_customer) u (id, customer)
    WHERE u.customer IS NOT NULL AND NOT EXISTS (SELECT 1 FROM spend_limit s WHERE s.id = u.id))
  THEN
    -- Whoever changes a budget changes it before its rows, or waits for those that are made here.
    PERFORM 1 FROM budget b WHERE b.id = ANY (p_budget) ORDER BY b.id FOR SHARE;
    INSERT INTO spend_limit (id, owner_id, cap, budget_id, customer_id, name, period, starts_at, ends_at)
      SELECT DISTINCT ON (u.id) u.id, b.owner_id, b.credits, b.id, u.customer, b.name, b.period, w.begins, w.ends
      FROM unnest(p_row, p_budget, p_customer) u (id, budget, customer) JOIN budget b ON b.id = u.budget JOIN owner o ON o.id = b.owner_id
      LEFT JOIN LATERAL budget_period(b.period, o.time_zone, clock_timestamp()) w ON b.period IS NOT NULL
      WHERE u.customer IS NOT NULL ORDER BY u.id
      ON CONFLICT (id) DO NOTHING;
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION public.limits_recount(r receipt, p_charged bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE spend_limit s SET spent = s.spent + CASE WHEN s.starts_at IS NULL THEN p_charged - r.charged
      ELSE charged_in_period(r, s.starts_at, p_charged) - charged_in_period(r, s.starts_at, r.charged) END
    WHERE s.id = ANY (limits_named(r));
  UPDATE "key" y SET spent = y.spent + p_charged - r.charged, period_spent = y.period_spent
      + charged_in_period(r, y.period_start, p_charged) - charged_in_period(r, y.period_start, r.charged) WHERE y.id = r.key_id;
  UPDATE account a SET available = a.available + r.charged - p_charged, day_spent = a.day_spent
      + charged_in_period(r, a.day_start, p_charged) - charged_in_period(r, a.day_start, r.charged) WHERE a.owner_id = r.owner_id;
END $function$;

CREATE OR REPLACE FUNCTION public.member_of_new_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO member (account_id, person_id, role) VALUES (new.owner_id, new.owner_id, 'owner') ON CONFLICT DO NOTHING;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.rate_hit(p_id text, p_max integer, p_seconds integer, OUT allowed boolean, OUT reset_s integer)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
DECLARE w record;
BEGIN
  INSERT INTO rate_window (id, started_at, count) VALUES (p_id, clock_timestamp(), 0) ON CONFLICT (id) DO NOTHING;
  SELECT * INTO w FROM rate_window WHERE id = p_id FOR UPDATE;
  IF w.started_at <= clock_timestamp() - make_interval(secs => p_seconds) THEN
    w.started_at := clock_timestamp(); w.count := 0;
  END IF;
  allowed := w.count < p_max;
  reset_s := least(p_seconds, greatest(1, ceil(extract(epoch FROM w.started_at - clock_timestamp()) + p_seconds)));
  UPDATE rate_window SET started_at = w.started_at, count = w.count + allowed::int WHERE id = p_id;
END $function$;

CREATE OR REPLACE FUNCTION public.rates_take(p_of integer[], p_id text[], p_max integer[], p_add integer[])
 RETURNS TABLE(n integer, at integer, used integer, ends_at timestamp with time zone)
 LANGUAGE plpgsql
AS $function$
DECLARE
  moment timestamptz := clock_timestamp();
  ids text[] := '{}'; counts int[]; began timestamptz[];
  i int := 1; e int; w int;
BEGIN
  WHILE NOT p_id <@ ids LOOP
    SELECT coalesce(array_agg(x.id), '{}'), array_agg(x.count), array_agg(x.began) INTO ids, counts, began FROM (
      SELECT r.id, CASE WHEN r.started_at > moment - interval '60 seconds' THEN r.count ELSE 0 END AS count,
        CASE WHEN r.started_at > moment - interval '60 seconds' THEN r.started_at ELSE moment END AS began
      FROM rate_window r WHERE r.id = ANY (p_id) ORDER BY r.id FOR UPDATE) x;
    IF NOT p_id <@ ids THEN
      INSERT INTO rate_window (id, started_at, count)
        SELECT DISTINCT u.id, moment, 0 FROM unnest(p_id) u (id) ORDER BY u.id ON CONFLICT (id) DO NOTHING;
    END IF;
  END LOOP;
  WHILE i <= cardinality(p_of) LOOP
    e := i; at := NULL;
    LOOP
      w := array_position(ids, p_id[e]);
      IF counts[w] + greatest(p_add[e], 1) > p_max[e] AND at IS NULL THEN at := e; used := counts[w]; ends_at := began[w] + interval '60 seconds'; END IF;
      EXIT WHEN p_of[e + 1] IS DISTINCT FROM p_of[i];
      e := e + 1;
    END LOOP;
    IF at IS NULL THEN
      FOR r IN i..e LOOP w := array_position(ids, p_id[r]); counts[w] := counts[w] + p_add[r]; END LOOP;
    ELSE
      n := p_of[i]; RETURN NEXT;
    END IF;
    i := e + 1;
  END LOOP;
  UPDATE rate_window r SET count = counts[array_position(ids, r.id)], started_at = began[array_position(ids, r.id)] WHERE r.id = ANY (ids);
END $function$;

CREATE OR REPLACE FUNCTION public.receipt_seal(p_id uuid, p_at timestamp with time zone, p_started_at timestamp with time zone, p_held bigint, p_charged bigint, p_limit uuid, p_owner integer, p_key integer, p_status text, p_channel text, p_product text, p_what text, p_detail jsonb)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT hash_record_extended(ROW(p_id, p_at, p_started_at, p_held, p_charged, p_limit, p_owner, p_key, p_status, p_channel,
    p_product, p_what, p_detail), 0)
$function$;

CREATE OR REPLACE FUNCTION public.receipt_seal_again(p_id uuid)
 RETURNS void
 LANGUAGE sql
AS $function$
  UPDATE receipt r SET seal = receipt_seal(r.id, r.at, r.started_at, r.held, r.charged, r.limit_id, r.owner_id, r.key_id, r.status,
    r.channel, r.product, r.what, r.detail) WHERE r.id = p_id
$function$;

CREATE OR REPLACE FUNCTION public.response_seal(p_hold uuid, p_body bytea, p_status integer, p_answer text, p_charged bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT hash_record_extended(ROW(p_hold, p_body, p_status, p_answer, p_charged), 0)
$function$;

CREATE OR REPLACE FUNCTION public.schedule_begin_manual_run(p_schedule uuid, p_owner integer, p_due timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM 1 FROM schedule s WHERE s.id = p_schedule AND s.owner_id = p_owner FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'missing'; END IF;
  PERFORM 1 FROM schedule_run r WHERE r.schedule_id = p_schedule
    AND (r.state IN ('starting', 'running') OR r.due_at = p_due);
  IF FOUND THEN RETURN 'live'; END IF;
  INSERT INTO schedule_run (schedule_id, due_at, is_manual, state, attempts, attempt_at)
    VALUES (p_schedule, p_due, true, 'starting', 1, clock_timestamp());
  RETURN 'starting';
END $function$;

CREATE OR REPLACE FUNCTION public.schedule_begin_run(p_schedule uuid, p_due timestamp with time zone, p_next timestamp with time zone, p_skipped text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE mode text; live boolean; waits boolean; queued boolean; skipped boolean;
BEGIN
  SELECT s.when_waiting INTO mode FROM schedule s WHERE s.id = p_schedule AND s.next_at = p_due FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'changed'; END IF;
  UPDATE schedule SET next_at = p_next WHERE id = p_schedule;
  SELECT count(*) > 0, coalesce(bool_or(j.status = 'awaiting_input'), false) INTO live, waits
    FROM schedule_run r LEFT JOIN job j ON j.id = r.job_id AND j.run_id = r.run_id
    WHERE r.schedule_id = p_schedule AND r.state IN ('starting', 'running');
  queued := waits AND mode = 'queue' AND (SELECT count(*) < 10 FROM schedule_run r
    WHERE r.schedule_id = p_schedule AND r.state = 'starting' AND r.is_queued);
  skipped := live AND queued IS NOT TRUE;
  INSERT INTO schedule_run (schedule_id, due_at, state, reason, is_queued, attempt_at)
    VALUES (p_schedule, p_due, CASE WHEN skipped THEN 'skipped' ELSE 'starting' END,
      CASE WHEN skipped AND waits THEN 'The run before it waited for an answer.' WHEN skipped THEN p_skipped END,
      queued IS TRUE, CASE WHEN queued THEN clock_timestamp() + interval '10 years' END)
    ON CONFLICT DO NOTHING;
  RETURN CASE WHEN skipped THEN 'skipped' ELSE 'starting' END;
END $function$;

CREATE OR REPLACE FUNCTION public.schedule_end_run(p_schedule uuid, p_due timestamp with time zone, p_state text, p_reason text, p_max_failures integer, p_is_key boolean)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE s schedule; is_manual boolean; failed boolean := p_state IN ('failed', 'refused'); paused text;
BEGIN
  SELECT * INTO s FROM schedule WHERE id = p_schedule FOR NO KEY UPDATE;
  UPDATE schedule_run r SET state = p_state, reason = p_reason
    WHERE r.schedule_id = p_schedule AND r.due_at = p_due AND r.state IN ('starting', 'running')
    RETURNING r.is_manual INTO is_manual;
  IF NOT FOUND THEN RETURN false; END IF;
  IF p_state <> 'cancelled' AND NOT (is_manual AND failed) THEN
    paused := CASE WHEN s.paused_by IS NOT NULL OR NOT failed THEN NULL WHEN p_is_key THEN 'key'
      WHEN s.failures + 1 >= p_max_failures THEN 'failures' END;
    UPDATE schedule SET failures = CASE WHEN failed THEN s.failures + 1 ELSE 0 END,
      paused_by = coalesce(paused, paused_by), paused_reason = CASE WHEN paused IS NULL THEN paused_reason ELSE p_reason END,
      next_at = CASE WHEN paused IS NULL THEN next_at END,
      updated_at = CASE WHEN paused IS NULL THEN updated_at ELSE clock_timestamp() END
      WHERE id = p_schedule;
  END IF;
  IF coalesce(paused, s.paused_by) IS NOT NULL THEN
    UPDATE schedule_run SET state = 'skipped', is_queued = false, reason = 'The schedule was paused before it could start.'
      WHERE schedule_id = p_schedule AND state = 'starting' AND is_queued;
  ELSE
    UPDATE schedule_run SET is_queued = false, attempt_at = NULL WHERE (schedule_id, due_at) = (
      SELECT r.schedule_id, r.due_at FROM schedule_run r
      WHERE r.schedule_id = p_schedule AND r.state = 'starting' AND r.is_queued ORDER BY r.due_at LIMIT 1);
  END IF;
  RETURN true;
END $function$;

CREATE OR REPLACE FUNCTION public.usage_add(p_receipt receipt, p_times integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO usage_hour AS u (owner_id, key_id, hour, channel, product, what, outcome, calls, charged, input_tokens, output_tokens)
    SELECT p_receipt.owner_id, k.id, date_trunc('hour', p_receipt.at, 'UTC'), p_receipt.channel, p_receipt.product, p_receipt.what,
      usage_outcome(p_receipt.status, p_receipt.charged), p_times, p_times * p_receipt.charged,
      p_times * usage_tokens(p_receipt.product, p_receipt.detail, 'inputTokens'),
      p_times * usage_tokens(p_receipt.product, p_receipt.detail, 'outputTokens')
    FROM unnest(ARRAY[-1, coalesce(p_receipt.key_id, 0)]) AS k (id)
    ON CONFLICT (owner_id, key_id, hour, channel, product, what, outcome) DO UPDATE SET
      calls = u.calls + excluded.calls, charged = u.charged + excluded.charged,
      input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens;
  IF p_receipt.customer_id IS NOT NULL THEN
    INSERT INTO usage_customer_hour AS u (owner_id, hour, customer_id, key_id, product, what, calls, charged)
      VALUES (p_receipt.owner_id, date_trunc('hour', p_receipt.at, 'UTC'), p_receipt.customer_id, coalesce(p_receipt.key_id, 0),
        p_receipt.product, p_receipt.what, p_times, p_times * p_receipt.charged)
      ON CONFLICT (owner_id, hour, customer_id, key_id, product, what) DO UPDATE SET
        calls = u.calls + excluded.calls, charged = u.charged + excluded.charged;
  END IF;
  INSERT INTO usage_key_day AS u (owner_id, day, key_id, calls, charged)
    VALUES (p_receipt.owner_id, (p_receipt.at AT TIME ZONE 'UTC')::date, coalesce(p_receipt.key_id, 0), p_times,
      p_times * p_receipt.charged)
    ON CONFLICT (owner_id, day, key_id) DO UPDATE SET calls = u.calls + excluded.calls, charged = u.charged + excluded.charged;
  INSERT INTO usage_key_month AS u (owner_id, month, key_id, calls, charged)
    VALUES (p_receipt.owner_id, date_trunc('month', p_receipt.at AT TIME ZONE 'UTC')::date, coalesce(p_receipt.key_id, 0), p_times,
      p_times * p_receipt.charged)
    ON CONFLICT (owner_id, month, key_id) DO UPDATE SET calls = u.calls + excluded.calls, charged = u.charged + excluded.charged;
END $function$;

CREATE OR REPLACE FUNCTION public.usage_correct()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE summed timestamptz;
BEGIN
  SELECT s.until INTO summed FROM usage_summed s FOR SHARE;
  IF OLD.at < summed THEN PERFORM usage_add(OLD, -1); END IF;
  IF NEW.at < summed THEN PERFORM usage_add(NEW, 1); END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.usage_correct_late()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE summed timestamptz;
BEGIN
  IF (SELECT min(r.at) FROM added r) < (SELECT s.until FROM usage_summed s) THEN
    SELECT s.until INTO summed FROM usage_summed s FOR SHARE;
    PERFORM usage_add(c, 1) FROM receipt c WHERE c.id IN (SELECT r.id FROM added r WHERE r.at < summed);
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.usage_outcome(p_status text, p_charged bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT CASE WHEN p_status = 'ok' THEN 'ok' WHEN p_charged > 0 THEN 'failed' ELSE 'free' END;
$function$;

CREATE OR REPLACE FUNCTION public.usage_repair(p_owner integer, p_day date)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  starts timestamptz := p_day::timestamp AT TIME ZONE 'UTC'; ends timestamptz := starts + interval '24 hours';
  first_day date := date_trunc('month', p_day); summed timestamptz;
BEGIN
  PERFORM 1 FROM account a WHERE a.owner_id = p_owner FOR NO KEY UPDATE;
  SELECT s.until INTO summed FROM usage_summed s FOR UPDATE;
  DELETE FROM usage_hour u WHERE u.owner_id = p_owner AND u.hour >= starts AND u.hour < ends;
  INSERT INTO usage_hour (owner_id, key_id, hour, channel, product, what, outcome, calls, charged, input_tokens, output_tokens)
    SELECT p_owner, k.id, date_trunc('hour', r.at, 'UTC'), r.channel, r.product, r.what, usage_outcome(r.status, r.charged),
      count(*), sum(r.charged), sum(usage_tokens(r.product, r.detail, 'inputTokens')),
      sum(usage_tokens(r.product, r.detail, 'outputTokens'))
    FROM receipt r CROSS JOIN LATERAL unnest(ARRAY[-1, coalesce(r.key_id, 0)]) AS k (id)
    WHERE r.owner_id = p_owner AND r.at >= starts AND r.at < least(ends, summed) GROUP BY 2, 3, 4, 5, 6, 7;
  DELETE FROM usage_customer_hour u WHERE u.owner_id = p_owner AND u.hour >= starts AND u.hour < ends;
  INSERT INTO usage_customer_hour (owner_id, hour, customer_id, key_id, product, what, calls, charged)
    SELECT p_owner, date_trunc('hour', r.at, 'UTC'), r.customer_id, coalesce(r.key_id, 0), r.product, r.what, count(*), sum(r.charged)
    FROM receipt r WHERE r.owner_id = p_owner AND r.at >= starts AND r.at < least(ends, summed) AND r.customer_id IS NOT NULL
    GROUP BY 2, 3, 4, 5, 6;
  DELETE FROM usage_key_day u WHERE u.owner_id = p_owner AND u.day = p_day;
  INSERT INTO usage_key_day (owner_id, day, key_id, calls, charged)
    SELECT p_owner, p_day, u.key_id, sum(u.calls), sum(u.charged) FROM usage_hour u
    WHERE u.owner_id = p_owner AND u.key_id >= 0 AND u.hour >= starts AND u.hour < ends GROUP BY u.key_id;
  DELETE FROM usage_key_month u WHERE u.owner_id = p_owner AND u.month = first_day;
  INSERT INTO usage_key_month (owner_id, month, key_id, calls, charged)
    SELECT p_owner, first_day, u.key_id, sum(u.calls), sum(u.charged) FROM usage_key_day u
    WHERE u.owner_id = p_owner AND u.day >= first_day AND u.day < first_day + interval '1 month' GROUP BY u.key_id;
END $function$;

CREATE OR REPLACE FUNCTION public.usage_sum_up(p_slice interval)
 RETURNS TABLE(summed timestamp with time zone, more boolean)
 LANGUAGE plpgsql
AS $function$
DECLARE since timestamptz; due timestamptz; upto timestamptz;
BEGIN
  SELECT s.until INTO since FROM usage_summed s FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT least(now(), min(a.xact_start)) - interval '1 minute' INTO due FROM pg_stat_activity a
    WHERE a.datname = current_database() AND a.backend_xid IS NOT NULL AND a.pid <> pg_backend_pid();
  IF since = '-infinity' THEN
    SELECT coalesce(min(first.at), due) INTO since FROM owner o
      CROSS JOIN LATERAL (SELECT r.at FROM receipt r WHERE r.owner_id = o.id ORDER BY r.at LIMIT 1) first;
  END IF;
  -- As precise as what is stored of it: a receipt between the two would be summed twice.
  due := date_trunc('milliseconds', due);
  upto := least(due, date_trunc('milliseconds', since + p_slice));
  -- Not for every few calls: what is newer is quickly read from receipts.
  IF due >= since + interval '3 minutes' THEN
    INSERT INTO usage_hour AS u (owner_id, key_id, hour, channel, product, what, outcome, calls, charged, input_tokens, output_tokens)
      SELECT r.owner_id, CASE WHEN grouping(r.key_id) = 1 THEN -1 ELSE r.key_id END, r.hour, r.channel, r.product, r.what, r.outcome,
        count(*), sum(r.charged), sum(r.input_tokens), sum(r.output_tokens)
      FROM (
        SELECT x.owner_id, coalesce(x.key_id, 0) AS key_id, date_trunc('hour', x.at, 'UTC') AS hour, x.channel, x.product, x.what,
          usage_outcome(x.status, x.charged) AS outcome, x.charged, usage_tokens(x.product, x.detail, 'inputTokens') AS input_tokens,
          usage_tokens(x.product, x.detail, 'outputTokens') AS output_tokens
        FROM owner o CROSS JOIN LATERAL (
          SELECT c.* FROM receipt c WHERE c.owner_id = o.id AND c.at >= since AND c.at < upto OFFSET 0) x
      ) r
      GROUP BY GROUPING SETS ((r.owner_id, r.hour, r.channel, r.product, r.what, r.outcome),
        (r.owner_id, r.key_id, r.hour, r.channel, r.product, r.what, r.outcome))
      ON CONFLICT (owner_id, key_id, hour, channel, product, what, outcome) DO UPDATE SET
        calls = u.calls + excluded.calls, charged = u.charged + excluded.charged,
        input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens;
    INSERT INTO usage_customer_hour AS u (owner_id, hour, customer_id, key_id, product, what, calls, charged)
      SELECT x.owner_id, date_trunc('hour', x.at, 'UTC'), x.customer_id, coalesce(x.key_id, 0), x.product, x.what, count(*), sum(x.charged)
      FROM owner o CROSS JOIN LATERAL (
        SELECT c.* FROM receipt c WHERE c.owner_id = o.id AND c.at >= since AND c.at < upto AND c.customer_id IS NOT NULL OFFSET 0) x
      GROUP BY 1, 2, 3, 4, 5, 6
      ON CONFLICT (owner_id, hour, customer_id, key_id, product, what) DO UPDATE SET
        calls = u.calls + excluded.calls, charged = u.charged + excluded.charged;
    INSERT INTO usage_key_day AS u (owner_id, day, key_id, calls, charged)
      SELECT x.owner_id, (x.at AT TIME ZONE 'UTC')::date, coalesce(x.key_id, 0), count(*), sum(x.charged)
      FROM owner o CROSS JOIN LATERAL (
        SELECT c.owner_id, c.at, c.key_id, c.charged FROM receipt c
        WHERE c.owner_id = o.id AND c.at >= since AND c.at < upto OFFSET 0) x
      GROUP BY 1, 2, 3
      ON CONFLICT (owner_id, day, key_id) DO UPDATE SET calls = u.calls + excluded.calls, charged = u.charged + excluded.charged;
    INSERT INTO usage_key_month AS u (owner_id, month, key_id, calls, charged)
      SELECT x.owner_id, date_trunc('month', x.at AT TIME ZONE 'UTC')::date, coalesce(x.key_id, 0), count(*), sum(x.charged)
      FROM owner o CROSS JOIN LATERAL (
        SELECT c.owner_id, c.at, c.key_id, c.charged FROM receipt c
        WHERE c.owner_id = o.id AND c.at >= since AND c.at < upto OFFSET 0) x
      GROUP BY 1, 2, 3
      ON CONFLICT (owner_id, month, key_id) DO UPDATE SET calls = u.calls + excluded.calls, charged = u.charged + excluded.charged;
    UPDATE usage_summed SET until = upto;
  END IF;
  SELECT s.until INTO summed FROM usage_summed s;
  more := upto < due;
  RETURN NEXT;
END $function$;

CREATE OR REPLACE FUNCTION public.usage_tokens(p_product text, p_detail jsonb, p_name text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT CASE WHEN p_product = 'tool' OR jsonb_typeof(p_detail -> p_name) IS DISTINCT FROM 'number' THEN 0
    ELSE least(greatest((p_detail -> p_name)::numeric, 0), 1e15)::bigint END;
$function$;

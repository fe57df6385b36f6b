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
  suspended_at timestamp(3) with time zone
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
  updated_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE answer (
  job_id uuid NOT NULL,
  index integer NOT NULL,
  approved boolean NOT NULL,
  feedback text,
  key_id integer,
  answered_by text,
  at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
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

CREATE UNLOGGED TABLE credits_clock (
  id integer NOT NULL,
  seen_at timestamp(3) with time zone NOT NULL,
  up_since timestamp(3) with time zone NOT NULL
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
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE former_identity (
  hash bytea NOT NULL,
  at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
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
  keeps_answer boolean NOT NULL DEFAULT false
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
  strict boolean NOT NULL DEFAULT false
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
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE mcp_task (
  id uuid NOT NULL,
  owner_id integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ended_at timestamp(3) with time zone,
  is_cancelled boolean NOT NULL DEFAULT false,
  holder_id uuid NOT NULL,
  is_lost boolean NOT NULL DEFAULT false,
  result jsonb
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
  key_id integer
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
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
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
  seal bigint NOT NULL
);

CREATE TABLE recovery_code (
  hash bytea NOT NULL,
  owner_id integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE UNLOGGED TABLE request_hour (
  hour timestamp(3) with time zone NOT NULL,
  owner_id integer NOT NULL,
  key_id integer NOT NULL,
  status integer NOT NULL,
  requests bigint NOT NULL,
  ms bigint NOT NULL,
  slowest_ms integer NOT NULL
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
  updated_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
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
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
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
  verified_at timestamp(3) with time zone
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
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE spend_limit (
  id uuid NOT NULL,
  owner_id integer NOT NULL,
  cap bigint NOT NULL,
  spent bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0
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
  summary_model text
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
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
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
ALTER TABLE credits_clock ADD CONSTRAINT credits_clock_pkey PRIMARY KEY (id);
ALTER TABLE dataset ADD CONSTRAINT dataset_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE dataset ADD CONSTRAINT dataset_pkey PRIMARY KEY (owner_id, name);
ALTER TABLE deleted_spend ADD CONSTRAINT deleted_spend_limit_id_fkey FOREIGN KEY (limit_id) REFERENCES spend_limit(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE deleted_spend ADD CONSTRAINT deleted_spend_pkey PRIMARY KEY (limit_id);
ALTER TABLE file ADD CONSTRAINT file_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE file ADD CONSTRAINT file_pkey PRIMARY KEY (id);
ALTER TABLE former_identity ADD CONSTRAINT former_identity_pkey PRIMARY KEY (hash);
ALTER TABLE hold ADD CONSTRAINT hold_amount_check CHECK ((amount >= 0));
ALTER TABLE hold ADD CONSTRAINT hold_pkey PRIMARY KEY (id);
ALTER TABLE holder ADD CONSTRAINT holder_pkey PRIMARY KEY (id);
ALTER TABLE idempotency ADD CONSTRAINT idempotency_seal_check CHECK (((status IS NULL) = (seal IS NULL)));
ALTER TABLE idempotency ADD CONSTRAINT idempotency_pkey PRIMARY KEY (key_id, token);
ALTER TABLE idempotency_hour ADD CONSTRAINT idempotency_hour_pkey PRIMARY KEY (owner_id, hour);
ALTER TABLE job ADD CONSTRAINT job_check CHECK (((status = 'awaiting_input'::text) = (awaiting IS NOT NULL)));
ALTER TABLE job ADD CONSTRAINT job_status_check CHECK ((status = ANY (ARRAY['running'::text, 'awaiting_input'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])));
ALTER TABLE job ADD CONSTRAINT job_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE job ADD CONSTRAINT job_pkey PRIMARY KEY (id);
ALTER TABLE key ADD CONSTRAINT key_check CHECK (((budget IS NULL) OR ((spent + held) <= budget)));
ALTER TABLE key ADD CONSTRAINT key_held_check CHECK ((held >= 0));
ALTER TABLE key ADD CONSTRAINT key_period_check CHECK ((((period IS NULL) = (period_budget IS NULL)) AND ((period IS NULL) = (period_start IS NULL)) AND ((period IS NULL) = (period_end IS NULL)) AND (period = ANY (ARRAY['day'::text, 'week'::text, 'month'::text])) AND (period_start < period_end) AND (period_spent >= 0) AND (period_held >= 0) AND ((period_spent + period_held) <= period_budget)));
ALTER TABLE key ADD CONSTRAINT key_spent_check CHECK ((spent >= 0));
ALTER TABLE key ADD CONSTRAINT key_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE RESTRICT;
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
ALTER TABLE mcp_task ADD CONSTRAINT mcp_task_pkey PRIMARY KEY (id);
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
ALTER TABLE request_hour ADD CONSTRAINT request_hour_pkey PRIMARY KEY (hour, owner_id, key_id, status);
ALTER TABLE request_log ADD CONSTRAINT request_log_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE request_log ADD CONSTRAINT request_log_pkey PRIMARY KEY (id);
ALTER TABLE retention ADD CONSTRAINT retention_pkey PRIMARY KEY (name);
ALTER TABLE schedule ADD CONSTRAINT schedule_key_id_fkey FOREIGN KEY (key_id) REFERENCES key(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE schedule ADD CONSTRAINT schedule_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE schedule ADD CONSTRAINT schedule_pkey PRIMARY KEY (id);
ALTER TABLE schedule_run ADD CONSTRAINT schedule_run_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES schedule(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE schedule_run ADD CONSTRAINT schedule_run_pkey PRIMARY KEY (schedule_id, due_at);
ALTER TABLE schema_compatibility ADD CONSTRAINT schema_compatibility_pkey PRIMARY KEY (id);
ALTER TABLE session ADD CONSTRAINT session_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE session ADD CONSTRAINT session_pkey PRIMARY KEY (id);
ALTER TABLE settlement_dead ADD CONSTRAINT settlement_dead_pkey PRIMARY KEY (id);
ALTER TABLE sign_up_link ADD CONSTRAINT sign_up_link_pkey PRIMARY KEY (hash);
ALTER TABLE site ADD CONSTRAINT site_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE site ADD CONSTRAINT site_pkey PRIMARY KEY (slug);
ALTER TABLE site_version ADD CONSTRAINT site_version_slug_fkey FOREIGN KEY (slug) REFERENCES site(slug) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE site_version ADD CONSTRAINT site_version_pkey PRIMARY KEY (slug, version);
ALTER TABLE spend_limit ADD CONSTRAINT spend_limit_check CHECK (((spent + held) <= cap));
ALTER TABLE spend_limit ADD CONSTRAINT spend_limit_held_check CHECK ((held >= 0));
ALTER TABLE spend_limit ADD CONSTRAINT spend_limit_spent_check CHECK ((spent >= 0));
ALTER TABLE spend_limit ADD CONSTRAINT spend_limit_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owner(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE spend_limit ADD CONSTRAINT spend_limit_pkey PRIMARY KEY (id);
ALTER TABLE step ADD CONSTRAINT step_charged_check CHECK ((charged >= 0));
ALTER TABLE step ADD CONSTRAINT step_kind_check CHECK ((kind = ANY (ARRAY['model'::text, 'tool'::text, 'question'::text, 'plan'::text, 'summary'::text, 'wrap_up'::text])));
ALTER TABLE step ADD CONSTRAINT step_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE step ADD CONSTRAINT step_pkey PRIMARY KEY (job_id, index);
ALTER TABLE turn ADD CONSTRAINT turn_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE turn ADD CONSTRAINT turn_pkey PRIMARY KEY (run_id);
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
CREATE INDEX audit_event_operators_idx ON public.audit_event USING btree (id) WHERE (actor_kind = 'operator'::text);
CREATE INDEX audit_event_owner_id_id_idx ON public.audit_event USING btree (owner_id, id);
CREATE INDEX file_owner_id_created_at_idx ON public.file USING btree (owner_id, created_at);
CREATE INDEX hold_holder_id_idx ON public.hold USING btree (holder_id);
CREATE INDEX hold_limit_id_idx ON public.hold USING btree (limit_id) WHERE (limit_id IS NOT NULL);
CREATE UNIQUE INDEX idempotency_hold_id_key ON public.idempotency USING btree (hold_id);
CREATE INDEX idempotency_key_id_created_at_idx ON public.idempotency USING btree (key_id, created_at);
CREATE INDEX job_live_idx ON public.job USING btree (status, holder_id) WHERE (status = ANY (ARRAY['running'::text, 'awaiting_input'::text]));
CREATE INDEX job_owner_id_created_at_id_idx ON public.job USING btree (owner_id, created_at, id);
CREATE INDEX job_owner_id_credits_id_idx ON public.job USING btree (owner_id, credits, id);
CREATE INDEX job_owner_id_status_created_at_id_idx ON public.job USING btree (owner_id, status, created_at, id);
CREATE INDEX job_owner_id_worked_ms_id_idx ON public.job USING btree (owner_id, worked_ms, id);
CREATE INDEX job_words_idx ON public.job USING gin (words);
CREATE INDEX key_owner_id_created_at_idx ON public.key USING btree (owner_id, created_at);
CREATE INDEX key_secret_key_id_idx ON public.key_secret USING btree (key_id);
CREATE UNIQUE INDEX ledger_charge_key ON public.ledger USING btree (hold_id) WHERE (amount < 0);
CREATE INDEX ledger_owner_id_at_entry_idx ON public.ledger USING btree (owner_id, at, id) WHERE ((hold_id IS NULL) OR (amount > 0));
CREATE INDEX ledger_owner_id_at_idx ON public.ledger USING btree (owner_id, at);
CREATE UNIQUE INDEX ledger_refund_key ON public.ledger USING btree (hold_id) WHERE (amount > 0);
CREATE INDEX login_owner_id_idx ON public.login USING btree (owner_id);
CREATE INDEX mcp_task_created_at_idx ON public.mcp_task USING btree (created_at);
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
CREATE INDEX receipt_owner_id_product_at_idx ON public.receipt USING btree (owner_id, product, at) WHERE (product <> 'tool'::text);
CREATE INDEX receipt_owner_id_status_at_idx ON public.receipt USING btree (owner_id, status, at) WHERE (status <> 'ok'::text);
CREATE INDEX receipt_owner_id_what_at_idx ON public.receipt USING btree (owner_id, what, at);
CREATE INDEX recovery_code_owner_id_idx ON public.recovery_code USING btree (owner_id);
CREATE INDEX request_log_at_idx ON public.request_log USING btree (at);
CREATE INDEX request_log_owner_id_at_id_idx ON public.request_log USING btree (owner_id, at, id);
CREATE INDEX schedule_next_at_idx ON public.schedule USING btree (next_at);
CREATE INDEX schedule_owner_id_created_at_id_idx ON public.schedule USING btree (owner_id, created_at, id);
CREATE INDEX schedule_run_created_at_idx ON public.schedule_run USING btree (created_at);
CREATE INDEX schedule_run_state_idx ON public.schedule_run USING btree (state);
CREATE INDEX session_owner_id_idx ON public.session USING btree (owner_id);
CREATE INDEX sign_up_link_expires_at_idx ON public.sign_up_link USING btree (expires_at);
CREATE INDEX site_owner_id_idx ON public.site USING btree (owner_id);
CREATE INDEX site_version_files_idx ON public.site_version USING gin (files jsonb_path_ops);
CREATE INDEX spend_limit_owner_id_idx ON public.spend_limit USING btree (owner_id);
CREATE INDEX turn_ended_at_idx ON public.turn USING btree (ended_at);
CREATE UNIQUE INDEX turn_job_id_number_key ON public.turn USING btree (job_id, number);
CREATE UNIQUE INDEX turn_owner_id_idempotency_key_key ON public.turn USING btree (owner_id, idempotency_key);
CREATE INDEX webhook_delivery_created_at_idx ON public.webhook_delivery USING btree (created_at);
CREATE INDEX webhook_delivery_failed ON public.webhook_delivery USING btree (owner_id, created_at) WHERE (status = 'failed'::text);
CREATE INDEX webhook_delivery_job_id_created_at_id_idx ON public.webhook_delivery USING btree (job_id, created_at, id);
CREATE INDEX webhook_delivery_pending ON public.webhook_delivery USING btree (owner_id, due_at) WHERE (status = 'pending'::text);

CREATE TRIGGER job_told AFTER UPDATE OF status ON public.job FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) AND (new.status = ANY (ARRAY['completed'::text, 'failed'::text, 'awaiting_input'::text])))) EXECUTE FUNCTION agent_write_delivery();
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
  INSERT INTO answer (job_id, index, approved, feedback, key_id, answered_by)
    VALUES (p_job, asked, (p_answer ->> 'approved')::boolean, p_answer ->> 'feedback', by_key,
      agent_actor(owner_of_job, by_key));
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
 LANGUAGE plpgsql
AS $function$
DECLARE owner_of_job int;
BEGIN
  SELECT j.owner_id INTO owner_of_job FROM job j
    WHERE j.id = p_job AND j.run_id = p_run AND j.status IN ('running', 'awaiting_input') FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM agent_end(p_job, p_run, 'cancelled', NULL);
  UPDATE turn SET cancelled_by = agent_actor(owner_of_job, p_key), cancelled_key_id = p_key WHERE run_id = p_run;
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
    attachments jsonb, summary_model text, metadata jsonb, schedule_id uuid);
  cap := t.cap_credits;
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
      stop_at_credits, attachments, summary_model, metadata, schedule_id)
    VALUES (t.run_id, t.job_id, t.owner_id, place, t.key_id, t.idempotency_key, t.goal, t.mode, t.model, t.agent,
      t.capabilities, cap, t.history_turn_limit, t.callback_url, t.output_schema, t.origin, t.traceparent,
      agent_actor(t.owner_id, CASE WHEN t.origin = 'dashboard' THEN NULL ELSE t.key_id END), 'running', t.max_credits,
      stop_at, t.attachments, t.summary_model, coalesce(t.metadata, before.metadata),
      coalesce(t.schedule_id, before.schedule_id));
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
  limits uuid[]; limit_owner int[]; limit_free bigint[]; limit_held bigint[]; limit_spent bigint[];
  keys int[]; key_owner int[]; key_valid boolean[]; key_free bigint[]; key_held bigint[]; key_spent bigint[];
  window_start timestamptz[]; window_end timestamptz[]; window_free bigint[]; window_held bigint[]; window_spent bigint[];
  owners int[]; suspended text[]; chains bytea[]; balance bigint[]; calls int[]; owner_held bigint[]; owner_calls int[];
  max_calls int[]; day_from timestamptz[]; today_free bigint[]; today_held bigint[]; today_spent bigint[];
  ended uuid[]; ended_amount bigint[]; ended_owner int[]; ended_key int[]; ended_limit uuid[]; ended_at timestamptz[];
  ended_channel text[];
  at timestamptz; done_at timestamptz; today timestamptz; call_token text;
  has_limits boolean; has_windows boolean; has_days boolean; in_window boolean; in_day boolean; keeps boolean; is_repeated boolean; is_call boolean;
  is_raised boolean := false;
  item record; stored record;
  first_n int; h int; k int; o int; l int; free bigint; replayed bigint := 0;
BEGIN
  IF p_hash <> '{}' THEN
    FOR n, state, key_id, owner_id, rpm, remaining, reset_s, grants_version, reason IN
      SELECT * FROM keys_authenticate(p_hash, p_owner_rpm)
    LOOP
      IF state = 'ok' THEN let_in[n] := grants_version; END IF;
      RETURN NEXT;
    END LOOP;
    state := NULL; key_id := NULL; owner_id := NULL; rpm := NULL; remaining := NULL; reset_s := NULL;
    grants_version := NULL; reason := NULL;
  END IF;

  -- What is locked: the rows of holds to end, and those of holds to take.
  IF p_ended <> '{}' THEN
    SELECT array_agg(h.limit_id) FILTER (WHERE h.limit_id IS NOT NULL), array_agg(h.key_id), array_agg(h.owner_id)
      INTO limits, keys, owners FROM hold h WHERE h.id = ANY (p_ended);
  END IF;
  IF p_id <> '{}' THEN
    IF NOT EXISTS (SELECT 1 FROM holder h WHERE h.id = p_holder AND h.lease_until > now() + interval '30 seconds') THEN
      PERFORM credits_renew(p_holder);
    END IF;
    limits := array_remove(p_limit, NULL) || limits; keys := p_key || keys; owners := p_owner || owners;
  END IF;
  has_limits := limits <> '{}';
  IF has_limits THEN
    SELECT array_agg(x.id), array_agg(x.owner_id), array_agg(x.free), array_agg(0::bigint), array_agg(0::bigint)
      INTO limits, limit_owner, limit_free, limit_held, limit_spent FROM (
        SELECT s.id, s.owner_id, s.cap - s.spent - s.held AS free FROM spend_limit s WHERE s.id = ANY (limits)
        ORDER BY s.id FOR NO KEY UPDATE) x;
  END IF;
  SELECT array_agg(x.id), array_agg(x.owner_id), array_agg(x.valid), array_agg(x.free), bool_or(x.has_window)
    INTO keys, key_owner, key_valid, key_free, has_windows FROM (
      SELECT y.id, y.owner_id, y.revoked_at IS NULL AND (y.expires_at IS NULL OR y.expires_at > now()) AS valid,
        y.budget - y.spent - y.held AS free, y.period_budget IS NOT NULL AS has_window
      FROM "key" y WHERE y.id = ANY (keys) ORDER BY y.id FOR NO KEY UPDATE) x;
  key_held := array_fill(0::bigint, ARRAY[coalesce(cardinality(keys), 0)]); key_spent := key_held;
  SELECT array_agg(x.owner_id), array_agg(x.suspended_for), array_agg(x.available), array_agg(x.calls), array_agg(x.chain),
      array_agg(x.max_calls), bool_or(x.has_day)
    INTO owners, suspended, balance, calls, chains, max_calls, has_days FROM (
      SELECT a.owner_id, a.suspended_for, a.available, a.calls, a.chain, coalesce(a.max_calls, p_max_calls) AS max_calls,
        a.day_credits IS NOT NULL AS has_day
      FROM account a WHERE a.owner_id = ANY (owners) ORDER BY a.owner_id FOR NO KEY UPDATE) x;
  owner_held := array_fill(0::bigint, ARRAY[coalesce(cardinality(owners), 0)]); owner_calls := owner_held;
  -- When the holds are taken, which says in which window of their key, and on which day of their
  -- account, they count: read under the locks, in the precision that is stored, and never before a
  -- window that has begun.
  at := date_trunc('milliseconds', clock_timestamp());
  IF has_windows THEN
    SELECT array_agg(x.period_start), array_agg(x.period_end), array_agg(x.free), greatest(at, max(x.period_start))
      INTO window_start, window_end, window_free, at FROM (
        SELECT y.period_start, y.period_end, y.period_budget - y.period_spent - y.period_held AS free
        FROM "key" y WHERE y.id = ANY (keys) ORDER BY y.id) x;
    window_held := key_held; window_spent := key_held;
  END IF;
  IF has_days THEN
    -- Of UTC, which no owner can move. A day that is over is left behind by whoever comes first.
    today := date_trunc('day', at, 'UTC');
    SELECT array_agg(x.day_from), array_agg(x.free), greatest(at, max(x.day_from)) INTO day_from, today_free, at FROM (
        SELECT greatest(a.day_start, today) AS day_from,
          a.day_credits - CASE WHEN a.day_start >= today THEN a.day_spent + a.day_held ELSE 0 END AS free
        FROM account a WHERE a.owner_id = ANY (owners) ORDER BY a.owner_id) x;
    today_held := owner_held; today_spent := owner_held;
  END IF;

  IF p_ended <> '{}' THEN
    SELECT array_agg(y.id), array_agg(y.amount), array_agg(y.owner_id), array_agg(y.key_id), array_agg(y.limit_id),
        array_agg(y.created_at), array_agg(y.channel), bool_or(y.keeps_answer)
      INTO ended, ended_amount, ended_owner, ended_key, ended_limit, ended_at, ended_channel, keeps
      FROM hold y WHERE y.id = ANY (p_ended);
    -- A receipt has the time by which its window was chosen.
    done_at := CASE WHEN has_windows OR has_days THEN at ELSE date_trunc('milliseconds', clock_timestamp()) END;

    IF at >= ANY (window_end) AND true = ANY (p_extend) THEN
      FOR item IN SELECT b.* FROM credits_begin_period(keys, at) b LOOP
        k := array_position(keys, item.key_id); window_free[k] := item.free; window_start[k] := at;
      END LOOP;
    END IF;
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
        IF has_limits THEN l := array_position(limits, ended_limit[h]); END IF;
        IF o IS NULL OR (k IS NULL AND ended_key[h] IS NOT NULL) OR (l IS NULL AND ended_limit[h] IS NOT NULL) THEN
          -- The hold appeared after the rows were locked: start again, with its rows too.
          RAISE EXCEPTION 'a hold appeared' USING ERRCODE = 'serialization_failure';
        END IF;
        -- A call counts in the window of its key in which its hold was taken, also after its end;
        -- only what it cost beyond its hold counts where it is taken.
        IF has_windows THEN in_window := coalesce(ended_at[h] >= window_start[k], false); END IF;
        IF has_days THEN in_day := coalesce(ended_at[h] >= day_from[o], false); END IF;
        amount := greatest(0, least(p_actual[i], held));
        IF p_extend[i] AND p_actual[i] > held THEN
          -- In the window that is now: the one of its hold may have ended.
          free := least(balance[o], key_free[k], limit_free[l], window_free[k],
            CASE WHEN today_free[o] < 0 THEN 0 ELSE today_free[o] END);
          amount := least(p_actual[i], held + free);
          IF amount < p_actual[i] THEN
            limited := CASE free WHEN limit_free[l] THEN 'conversation' WHEN key_free[k] THEN 'key_budget'
              WHEN balance[o] THEN 'balance' WHEN window_free[k] THEN 'key_period' ELSE 'account_day' END;
          END IF;
        END IF;
        settled := 'done';
        IF amount > 0 THEN chains[o] := ledger_link(chains[o], owners[o], done_at, -amount, p_ended[i], ended_key[h], NULL); END IF;
        balance[o] := balance[o] + held - amount; owner_held[o] := owner_held[o] - held;
        IF ended_channel[h] <> 'agent' THEN owner_calls[o] := owner_calls[o] - 1; END IF;
        IF k IS NOT NULL THEN
          key_free[k] := key_free[k] + held - amount;
          key_held[k] := key_held[k] - held; key_spent[k] := key_spent[k] + amount;
          IF in_window THEN
            window_free[k] := window_free[k] + held - amount;
            window_held[k] := window_held[k] - held; window_spent[k] := window_spent[k] + amount;
          ELSIF has_windows AND window_free[k] IS NOT NULL AND amount > held THEN
            window_free[k] := window_free[k] + held - amount; window_spent[k] := window_spent[k] + amount - held;
          END IF;
        END IF;
        IF in_day THEN
          today_free[o] := today_free[o] + held - amount; today_held[o] := today_held[o] - held; today_spent[o] := today_spent[o] + amount;
        ELSIF has_days AND amount > held THEN
          today_free[o] := today_free[o] + held - amount; today_spent[o] := today_spent[o] + amount - held;
        END IF;
        IF l IS NOT NULL THEN
          limit_free[l] := limit_free[l] + held - amount;
          limit_held[l] := limit_held[l] - held; limit_spent[l] := limit_spent[l] + amount;
        END IF;
      END IF;
      s_outcome[i] := settled; s_charged[i] := amount;
      IF keeps THEN s_limited[i] := limited; END IF;
      RETURN NEXT;
    END LOOP;
    settled := NULL; held := NULL; limited := NULL;

    IF ended IS NOT NULL THEN
      WITH gone AS (
        DELETE FROM hold y WHERE y.id = ANY (ended) RETURNING y.*, array_position(p_ended, y.id) AS n
      ), receipts AS (
        INSERT INTO receipt (id, at, started_at, held, charged, limit_id, owner_id, key_id, status, channel, product, what, detail, seal)
        SELECT g.id, done_at, g.created_at, g.amount, s_charged[g.n], g.limit_id, g.owner_id, g.key_id, p_status[g.n],
          g.channel, g.product, g.what, p_detail[g.n], receipt_seal(g.id, done_at, g.created_at, g.amount, s_charged[g.n], g.limit_id,
          g.owner_id, g.key_id, p_status[g.n], g.channel, g.product, g.what, p_detail[g.n]) FROM gone g
      )
      -- In the order in which they were chained.
      INSERT INTO ledger (at, amount, hold_id, owner_id, key_id)
        SELECT done_at, -s_charged[g.n], g.id, g.owner_id, g.key_id FROM gone g WHERE s_charged[g.n] > 0 ORDER BY g.n;
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
    IF at >= ANY (window_end) THEN
      FOR item IN SELECT b.* FROM credits_begin_period(p_key, at) b LOOP
        k := array_position(keys, item.key_id);
        window_free[k] := item.free; window_held[k] := 0; window_spent[k] := 0;
      END LOOP;
    END IF;

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
      IF has_limits THEN
        l := array_position(limits, p_limit[i]);
        IF limit_owner[l] <> p_owner[i] THEN l := NULL; END IF;
      END IF;
      call_token := p_token[i]; is_call := p_channel[i] <> 'agent';
      IF is_repeated THEN
        SELECT x.outcome, x.amount, x.at INTO stored FROM (
          SELECT 'again' AS outcome, y.amount, y.created_at AS at FROM hold y WHERE y.id = p_id[i]
          UNION ALL SELECT 'settled', c.charged, c.started_at FROM receipt c WHERE c.id = p_id[i]) x;
        outcome := stored.outcome; amount := coalesce(stored.amount, 0);
      END IF;

      IF first_n < i THEN
        outcome := CASE r_outcome[first_n] WHEN 'held' THEN 'again' ELSE r_outcome[first_n] END;
        amount := coalesce(r_amount[first_n], 0);
      ELSIF p_product[i] IS NULL THEN
        -- Counted where the hold is: not in a window that began after it.
        IF has_windows THEN in_window := coalesce(stored.at >= window_start[k], false); END IF;
        IF has_days THEN in_day := coalesce(stored.at >= day_from[o], false); END IF;
        free := least(balance[o], key_free[k], limit_free[l], CASE WHEN in_window THEN window_free[k] END,
          CASE WHEN in_day THEN today_free[o] END);
        IF outcome IS NULL THEN
          outcome := 'again';
        ELSIF outcome = 'again' AND amount < p_least[i] AND amount + free >= p_least[i] + p_remaining[i] THEN
          free := least(p_most[i] - amount, free - p_remaining[i]); amount := amount + free;
          UPDATE hold y SET amount = credits_batch.amount WHERE y.id = p_id[i];
          is_raised := true;
          balance[o] := balance[o] - free; owner_held[o] := owner_held[o] + free;
          IF k IS NOT NULL THEN
            key_free[k] := key_free[k] - free; key_held[k] := key_held[k] + free;
            IF in_window THEN window_free[k] := window_free[k] - free; window_held[k] := window_held[k] + free; END IF;
          END IF;
          IF in_day THEN today_free[o] := today_free[o] - free; today_held[o] := today_held[o] + free; END IF;
          IF l IS NOT NULL THEN limit_free[l] := limit_free[l] - free; limit_held[l] := limit_held[l] + free; END IF;
        END IF;
      ELSIF outcome IS NOT NULL THEN
        NULL;
      ELSIF p_key[i] IS NOT NULL AND (key_valid[k] AND key_owner[k] = p_owner[i]) IS NOT TRUE THEN
        outcome := 'key_gone';
      ELSIF suspended[o] IS NOT NULL THEN
        outcome := 'suspended'; reply_answer := suspended[o];
      ELSE
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
        IF outcome IS NULL AND is_call AND calls[o] + owner_calls[o] >= max_calls[o] THEN
          outcome := 'busy'; amount := max_calls[o];
        ELSIF outcome IS NULL THEN
          free := least(coalesce(balance[o], 0), key_free[k], window_free[k], today_free[o]);
          IF has_limits THEN
            free := least(free, CASE WHEN p_limit[i] IS NOT NULL THEN coalesce(limit_free[l], 0) END);
          END IF;
          IF free < p_least[i] + p_remaining[i] THEN
            -- One that is spent first, else the one that leaves least: what is held comes back.
            SELECT c.source, c.free, CASE WHEN NOT c.is_spent THEN c.held END AS held INTO item FROM (
              SELECT x.*, x.free + coalesce(x.held, 0) < p_least[i] + p_remaining[i] AS is_spent FROM (VALUES
                ('conversation', CASE WHEN p_limit[i] IS NOT NULL THEN coalesce(limit_free[l], 0) END,
                  limit_held[l] + (SELECT s.held FROM spend_limit s WHERE s.id = p_limit[i])),
                ('key_budget', key_free[k], key_held[k] + (SELECT y.held FROM "key" y WHERE y.id = p_key[i])),
                ('key_period', window_free[k], window_held[k] + (SELECT y.period_held FROM "key" y WHERE y.id = p_key[i])),
                ('account_day', today_free[o], today_held[o] + (SELECT CASE WHEN a.day_start >= today THEN a.day_held ELSE 0 END
                  FROM account a WHERE a.owner_id = p_owner[i])),
                ('balance', coalesce(balance[o], 0), owner_held[o] + (SELECT a.held FROM account a WHERE a.owner_id = p_owner[i]))
              ) AS x (source, free, held) WHERE x.free < p_least[i] + p_remaining[i]) c
            ORDER BY c.is_spent DESC, c.free LIMIT 1;
            outcome := item.source; amount := item.free; held := item.held;
          ELSE
            outcome := 'held'; amount := least(p_most[i], free - p_remaining[i]);
            IF o IS NOT NULL THEN
              balance[o] := balance[o] - amount; owner_held[o] := owner_held[o] + amount;
              IF is_call THEN owner_calls[o] := owner_calls[o] + 1; END IF;
              IF has_days THEN today_free[o] := today_free[o] - amount; today_held[o] := today_held[o] + amount; END IF;
            END IF;
            IF k IS NOT NULL THEN
              key_free[k] := key_free[k] - amount; key_held[k] := key_held[k] + amount;
              IF has_windows THEN window_free[k] := window_free[k] - amount; window_held[k] := window_held[k] + amount; END IF;
            END IF;
            IF l IS NOT NULL THEN limit_free[l] := limit_free[l] - amount; limit_held[l] := limit_held[l] + amount; END IF;
            IF call_token IS NOT NULL THEN
              INSERT INTO idempotency (key_id, token, body_hash, hold_id) VALUES (p_key[i], call_token, p_body[i], p_id[i]);
              IF (SELECT sum(y.bytes) FROM idempotency_hour y WHERE y.owner_id = p_owner[i]
                AND y.hour > now() - interval '24 hours') >= 4294967296 THEN reason := 'full'; END IF;
            END IF;
          END IF;
        END IF;
      END IF;
      r_outcome[i] := outcome; r_amount[i] := amount;
      RETURN NEXT;
      IF reason IS NOT NULL THEN reason := NULL; END IF;
    END LOOP;
    IF 'held' = ANY (r_outcome) THEN
      INSERT INTO hold (id, amount, created_at, holder_id, limit_id, owner_id, key_id, channel, product, what, keeps_answer)
        SELECT p_id[u.i], r_amount[u.i], at, p_holder, p_limit[u.i], p_owner[u.i], p_key[u.i], p_channel[u.i], p_product[u.i],
          p_what[u.i], p_token[u.i] IS NOT NULL
        FROM generate_series(1, cardinality(p_id)) AS u (i) WHERE r_outcome[u.i] = 'held';
    END IF;
  END IF;

  IF ended IS NOT NULL OR is_raised OR 'held' = ANY (r_outcome) THEN
    IF has_limits THEN
      UPDATE spend_limit s SET held = s.held + limit_held[array_position(limits, s.id)],
          spent = s.spent + limit_spent[array_position(limits, s.id)]
        WHERE s.id = ANY (limits);
    END IF;
    IF has_windows THEN
      UPDATE "key" y SET held = y.held + key_held[array_position(keys, y.id)], spent = y.spent + key_spent[array_position(keys, y.id)],
          period_held = CASE WHEN y.period_budget IS NULL THEN 0 ELSE y.period_held + window_held[array_position(keys, y.id)] END,
          period_spent = y.period_spent + window_spent[array_position(keys, y.id)]
        WHERE y.id = ANY (keys);
    ELSE
      UPDATE "key" y SET held = y.held + key_held[array_position(keys, y.id)], spent = y.spent + key_spent[array_position(keys, y.id)]
        WHERE y.id = ANY (keys);
    END IF;
    IF has_days THEN
      UPDATE account a SET held = a.held + owner_held[x.o], available = balance[x.o], chain = chains[x.o],
          calls = greatest(0, a.calls + owner_calls[x.o]), day_start = CASE WHEN a.day_credits IS NOT NULL THEN day_from[x.o] END,
          day_held = CASE WHEN a.day_credits IS NULL THEN 0 ELSE CASE WHEN a.day_start >= today THEN a.day_held ELSE 0 END + today_held[x.o] END,
          day_spent = CASE WHEN a.day_credits IS NULL THEN 0 ELSE CASE WHEN a.day_start >= today THEN a.day_spent ELSE 0 END + today_spent[x.o] END
        FROM unnest(owners) WITH ORDINALITY x (owner_id, o) WHERE a.owner_id = x.owner_id;
    ELSE
      UPDATE account a SET held = a.held + owner_held[array_position(owners, a.owner_id)],
          available = balance[array_position(owners, a.owner_id)], chain = chains[array_position(owners, a.owner_id)],
          calls = greatest(0, a.calls + owner_calls[array_position(owners, a.owner_id)])
        WHERE a.owner_id = ANY (owners);
    END IF;
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION public.credits_begin_period(p_key integer[], p_at timestamp with time zone)
 RETURNS TABLE(key_id integer, free bigint)
 LANGUAGE sql
AS $function$
  UPDATE "key" y SET period_start = w.begins, period_end = w.ends, period_spent = 0, period_held = 0
    FROM (SELECT k.id, greatest(b.begins, k.period_end) AS begins, b.ends
      FROM "key" k JOIN owner o ON o.id = k.owner_id, LATERAL budget_period(k.period, o.time_zone, p_at) b
      WHERE k.id = ANY (p_key) AND k.period_end <= p_at) w
    WHERE y.id = w.id
    RETURNING y.id, y.period_budget
$function$;

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
  UPDATE account SET available = available + p_amount WHERE owner_id = p_owner AND available + p_amount >= 0
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
  PERFORM 1 FROM spend_limit s WHERE s.id = r.limit_id FOR NO KEY UPDATE;
  PERFORM 1 FROM "key" y WHERE y.id = r.key_id FOR NO KEY UPDATE;
  PERFORM 1 FROM account a WHERE a.owner_id = r.owner_id FOR NO KEY UPDATE;
  SELECT c.* INTO r FROM receipt c WHERE c.id = p_id;
  IF r.charged = 0 THEN RETURN 0; END IF;
  PERFORM ledger_write(r.owner_id, r.charged, r.id, r.key_id, p_note);
  UPDATE receipt c SET charged = 0, status = coalesce(p_status, c.status),
    detail = coalesce(c.detail, '{}') || jsonb_build_object('refunded', r.charged) WHERE c.id = p_id;
  PERFORM receipt_seal_again(p_id);
  UPDATE spend_limit s SET spent = s.spent - r.charged WHERE s.id = r.limit_id;
  UPDATE "key" y SET spent = y.spent - r.charged,
    period_spent = y.period_spent - charged_in_period(r, y.period_start, r.charged) WHERE y.id = r.key_id;
  UPDATE account a SET available = a.available + r.charged,
    day_spent = a.day_spent - charged_in_period(r, a.day_start, r.charged) WHERE a.owner_id = r.owner_id;
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
  PERFORM 1 FROM spend_limit s WHERE s.id = r.limit_id FOR NO KEY UPDATE;
  PERFORM 1 FROM "key" y WHERE y.id = r.key_id FOR NO KEY UPDATE;
  PERFORM 1 FROM account a WHERE a.owner_id = r.owner_id FOR NO KEY UPDATE;
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
    UPDATE spend_limit s SET spent = s.spent - credits WHERE s.id = r.limit_id;
    UPDATE "key" y SET spent = y.spent - credits,
      period_spent = y.period_spent - charged_in_period(r, y.period_start, r.charged)
        + charged_in_period(r, y.period_start, r.charged - credits)
      WHERE y.id = r.key_id;
    UPDATE account a SET available = a.available + credits,
      day_spent = a.day_spent - charged_in_period(r, a.day_start, r.charged)
        + charged_in_period(r, a.day_start, r.charged - credits)
      WHERE a.owner_id = r.owner_id;
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
      LEFT JOIN (SELECT limit_id, sum(amount) FROM hold WHERE owner_id = p_owner GROUP BY limit_id) h ON h.limit_id = x.id
      LEFT JOIN (SELECT limit_id, sum(charged) FROM receipt WHERE owner_id = p_owner GROUP BY limit_id) r ON r.limit_id = x.id
      LEFT JOIN deleted_spend d ON d.limit_id = x.id WHERE x.owner_id = p_owner) n
    WHERE s.id = n.id AND (s.held, s.spent) <> (n.held, n.spent) AND n.spent + n.held <= s.cap;
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
        coalesce(sum(h.amount), 0) AS held, count(*) FILTER (WHERE h.channel <> 'agent') AS calls
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
      NULL, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', NULL, '{}', '{}') b;
END $function$;

CREATE OR REPLACE FUNCTION public.credits_settle_late(p_id uuid, p_actual bigint, p_extend boolean, p_status text, p_detail jsonb, p_reply_status integer, p_reply_answer text)
 RETURNS TABLE(outcome text, charged bigint, held bigint, limited text)
 LANGUAGE plpgsql
AS $function$
DECLARE
  r receipt; sent jsonb; wanted bigint; free bigint; is_dry boolean;
  balance bigint; key_free bigint; window_free bigint; limit_free bigint; day_free bigint; in_window boolean; in_day boolean;
BEGIN
  outcome := 'unknown'; charged := 0; held := 0;
  SELECT * INTO r FROM receipt c WHERE c.id = p_id;
  IF NOT FOUND THEN RETURN NEXT; RETURN; END IF;
  SELECT s.cap - s.spent - s.held INTO limit_free FROM spend_limit s WHERE s.id = r.limit_id FOR NO KEY UPDATE;
  SELECT y.budget - y.spent - y.held, y.period_budget - y.period_spent - y.period_held, r.started_at >= y.period_start
    INTO key_free, window_free, in_window FROM "key" y WHERE y.id = r.key_id FOR NO KEY UPDATE;
  SELECT a.available, a.day_credits - a.day_spent - a.day_held, r.started_at >= a.day_start INTO balance, day_free, in_day
    FROM account a WHERE a.owner_id = r.owner_id FOR NO KEY UPDATE;
  SELECT * INTO r FROM receipt c WHERE c.id = p_id;
  outcome := 'again'; charged := r.charged; held := r.held;
  IF r.status <> 'expired' THEN RETURN NEXT; RETURN; END IF;

  sent := r.detail -> 'idempotency';
  PERFORM 1 FROM mcp_task t WHERE t.id = p_id FOR UPDATE;
  IF balance IS NULL OR EXISTS (SELECT 1 FROM idempotency i WHERE i.key_id = r.key_id AND i.token = sent ->> 'token')
    OR EXISTS (SELECT 1 FROM mcp_task t WHERE t.id = p_id AND t.is_lost)
  THEN
    outcome := 'expired'; RETURN NEXT; RETURN;
  END IF;

  -- In a window or day that began since, nothing of it counts; beyond its hold it takes nothing
  -- then.
  wanted := greatest(0, CASE WHEN p_extend AND in_window IS NOT FALSE AND in_day IS NOT FALSE THEN p_actual ELSE least(p_actual, r.held) END);
  free := greatest(0, least(balance, key_free, limit_free, CASE WHEN in_window THEN window_free END,
    CASE WHEN in_day THEN day_free END));
  outcome := 'done'; charged := least(wanted, free);
  IF p_extend AND charged < p_actual THEN
    limited := CASE free WHEN limit_free THEN 'conversation' WHEN key_free THEN 'key_budget' WHEN balance THEN 'balance'
      WHEN window_free THEN 'key_period' ELSE 'account_day' END;
  END IF;
  IF charged > 0 THEN
    PERFORM ledger_write(r.owner_id, -charged, r.id, r.key_id, NULL);
    UPDATE spend_limit s SET spent = s.spent + charged WHERE s.id = r.limit_id;
    UPDATE "key" y SET spent = y.spent + charged,
      period_spent = y.period_spent + charged_in_period(r, y.period_start, charged) WHERE y.id = r.key_id;
    UPDATE account a SET available = a.available - charged,
      day_spent = a.day_spent + charged_in_period(r, a.day_start, charged) WHERE a.owner_id = r.owner_id;
  END IF;
  IF wanted > charged THEN
    p_detail := coalesce(p_detail, '{}')
      || jsonb_build_object('loss', coalesce((p_detail ->> 'loss')::bigint, 0) + wanted - charged);
  END IF;
  UPDATE receipt c SET charged = credits_settle_late.charged, status = p_status, detail = p_detail WHERE c.id = p_id;
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

CREATE OR REPLACE FUNCTION public.keys_authenticate(p_hash bytea[], p_owner_rpm integer)
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
  g int; k int; o int; w int; free int;
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
        state := 'ok'; remaining := free - 1;
        used[k] := used[k] + 1;
        IF o IS NOT NULL THEN used[o] := used[o] + 1; END IF;
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
DECLARE live boolean;
BEGIN
  PERFORM 1 FROM schedule s WHERE s.id = p_schedule AND s.next_at = p_due FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'changed'; END IF;
  UPDATE schedule SET next_at = p_next WHERE id = p_schedule;
  SELECT EXISTS (SELECT 1 FROM schedule_run r WHERE r.schedule_id = p_schedule AND r.state IN ('starting', 'running')) INTO live;
  INSERT INTO schedule_run (schedule_id, due_at, state, reason)
    VALUES (p_schedule, p_due, CASE WHEN live THEN 'skipped' ELSE 'starting' END, CASE WHEN live THEN p_skipped END)
    ON CONFLICT DO NOTHING;
  RETURN CASE WHEN live THEN 'skipped' ELSE 'starting' END;
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
  IF p_state = 'cancelled' OR (is_manual AND failed) THEN RETURN true; END IF;
  paused := CASE WHEN s.paused_by IS NOT NULL OR NOT failed THEN NULL WHEN p_is_key THEN 'key'
    WHEN s.failures + 1 >= p_max_failures THEN 'failures' END;
  UPDATE schedule SET failures = CASE WHEN failed THEN s.failures + 1 ELSE 0 END,
    paused_by = coalesce(paused, paused_by), paused_reason = CASE WHEN paused IS NULL THEN paused_reason ELSE p_reason END,
    next_at = CASE WHEN paused IS NULL THEN next_at END,
    updated_at = CASE WHEN paused IS NULL THEN updated_at ELSE clock_timestamp() END
    WHERE id = p_schedule;
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

-- AlterTable
ALTER TABLE "answer" ADD COLUMN     "asked" JSONB,
ADD COLUMN     "input" JSONB,
ADD COLUMN     "scope" TEXT;

-- AlterTable
ALTER TABLE "schedule" ADD COLUMN     "answer_no_hours" INTEGER,
ADD COLUMN     "when_waiting" TEXT;

-- AlterTable
ALTER TABLE "schedule_run" ADD COLUMN     "is_queued" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "turn" ADD COLUMN     "permissions" JSONB;

-- Writes an answer to what a run asked, with who gave it and the step it becomes, if it becomes
-- one, and sends the run to the workers. False when the run does not ask that any more.
CREATE OR REPLACE FUNCTION agent_answer(p_job uuid, p_run uuid, p_answer jsonb, p_step jsonb, p_send text, p_message text)
RETURNS boolean LANGUAGE plpgsql AS $$
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
END $$;

-- Starts a run: of a new conversation, or of one that is idle. `p_turn` is the turn's row, with
-- `title`.
-- Outcomes: started | missing (this owner has no such conversation)
--           | live (a run of it is in progress)
--           | spent (`credits` so far: its spend limit, or what ended it, leaves nothing)
--           | short (only `credits` are not spent yet, by the limit `limit_source`: what calls in
--             progress hold comes back, and the run waits for it)
-- With `max_credits` the conversation's limit is that of its run, until the next turn.
-- Raises unique_violation when the owner has used the idempotency key.
CREATE OR REPLACE FUNCTION agent_start(p_turn jsonb, p_is_new boolean, p_least bigint, p_send text, p_message text)
RETURNS TABLE (outcome text, credits bigint, limit_source text)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE t record; j job; before turn; place int := 1; cap bigint; stop_at bigint;
  balance bigint; budget bigint; period bigint; day bigint; found_by tsvector;
BEGIN
  SELECT * INTO t FROM jsonb_to_record(p_turn) AS x (run_id uuid, job_id uuid, owner_id int, key_id int, title text,
    idempotency_key text, goal text, mode text, model text, agent text, capabilities text[], cap_credits bigint,
    history_turn_limit int, callback_url text, output_schema jsonb, origin text, traceparent text, max_credits bigint,
    attachments jsonb, summary_model text, metadata jsonb, schedule_id uuid, customer_id int, permissions jsonb);
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
      stop_at_credits, attachments, summary_model, metadata, schedule_id, customer_id, permissions)
    VALUES (t.run_id, t.job_id, t.owner_id, place, t.key_id, t.idempotency_key, t.goal, t.mode, t.model, t.agent,
      t.capabilities, cap, t.history_turn_limit, t.callback_url, t.output_schema, t.origin, t.traceparent,
      agent_actor(t.owner_id, CASE WHEN t.origin = 'dashboard' THEN NULL ELSE t.key_id END), 'running', t.max_credits,
      stop_at, t.attachments, t.summary_model, coalesce(t.metadata, before.metadata),
      coalesce(t.schedule_id, before.schedule_id), coalesce(t.customer_id, before.customer_id), t.permissions);
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
END $$;

-- Records that a schedule is due at `p_due`, and moves it to `p_next`: once, however many processes
-- see it. While an earlier run is live the time is skipped, or queued where that run waits for a
-- person and the schedule says so: at most ten times.
-- Outcomes: starting (also what is queued) | skipped | changed (it is not due then any more)
CREATE OR REPLACE FUNCTION schedule_begin_run(p_schedule uuid, p_due timestamptz, p_next timestamptz, p_skipped text)
RETURNS text LANGUAGE plpgsql AS $$
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
END $$;

-- Writes how a run of a schedule ended, once, and counts failures in a row: the schedule is paused
-- at `p_max_failures` of them, or at once where its key is why. A cancelled run counts as neither.
-- Of the times that are queued the first may start then; a paused schedule skips them.
-- False where the run had ended before, or its schedule was deleted.
CREATE OR REPLACE FUNCTION schedule_end_run(p_schedule uuid, p_due timestamptz, p_state text, p_reason text,
  p_max_failures int, p_is_key boolean) RETURNS boolean LANGUAGE plpgsql AS $$
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
END $$;

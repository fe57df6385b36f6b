-- AlterTable
ALTER TABLE "turn" ADD COLUMN     "from_step" INTEGER,
ADD COLUMN     "rerun_of" UUID;

-- Starts a run: of a new conversation, or of one that is idle. `p_turn` is the turn's row, with
-- `title`.
-- Outcomes: started | missing (this owner has no such conversation)
--           | live (a run of it is in progress)
--           | spent (`credits` so far: its spend limit, or what ended it, leaves nothing)
--           | short (only `credits` are not spent yet, by the limit `limit_source`: what calls in
--             progress hold comes back, and the run waits for it)
-- With `max_credits` the conversation's limit is that of its run, until the next turn.
-- With `rerun_of`, `rerun_turn` and `from_step` a new conversation takes over that job's: see
-- agent_take_over.
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
END $$;

-- Copies into the conversation of a run what came before it in the job that it takes over: the
-- turns before its own, with their steps, and of the turn that it repeats the steps before
-- `from_step`. They were paid there, so here they cost nothing and have no receipt.
CREATE OR REPLACE FUNCTION agent_take_over(p_owner int, p_run uuid) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
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
END $$;

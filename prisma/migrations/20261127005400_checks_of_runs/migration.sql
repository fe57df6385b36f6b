-- AlterTable
ALTER TABLE "turn" ADD COLUMN     "checks" JSONB;

-- Commits steps and what follows from them, each with its charge. Every item names a claim: job,
-- run, fencing token. An item may have a step, a settlement of the step's hold, and a transition:
--   continue | limit (a limit keeps the run from its next step) | retry (another attempt)
--   | pause (`awaiting`: a person is asked) | end (`status`, `result`, and its `value` where a
--     schema asks for one) | release (`message`: sent to the workers)
-- A step comes with up to three variants of its output, error and artifacts: as settled; `limited`,
-- if the credits ran out during the call; `expired`, if its hold was void before. Without a variant
-- the step is as settled. Its tokens and itself are added to the sums of its job.
-- Going: on | over (the run has ended, pauses or was cancelled; its step is kept and charged)
--        | fenced (somebody else has the claim: nothing was written, the hold is void)
-- An item may have the `checks` of its turn, with what came of them; of the one that it settles,
-- `judged` names the place, where the charge is written.
-- The rest is what credits_settle returned, and the limit that keeps the run from its next step. A
-- repeat finds the step that was written under its fencing token, and returns the first outcome. An
-- item that cannot be done is data, not an error, so that it never fails the others.
-- The rows of the items are always found by their keys: plans are made once a session, often while
-- the tables are small, and a hash join would later read all of a table for each commit.
CREATE OR REPLACE FUNCTION agent_commit(p_items jsonb, p_send text)
RETURNS TABLE (n int, going text, variant text, outcome text, charged bigint, held bigint, limited text, reached text)
LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
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
    attachments jsonb, summary_model text, metadata jsonb, schedule_id uuid, customer_id int, permissions jsonb,
    actor text, person_id int, memory boolean, checks jsonb);
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
      stop_at_credits, attachments, summary_model, metadata, schedule_id, customer_id, permissions, person_id, memory, checks)
    VALUES (t.run_id, t.job_id, t.owner_id, place, t.key_id, t.idempotency_key, t.goal, t.mode, t.model, t.agent,
      t.capabilities, cap, t.history_turn_limit, t.callback_url, t.output_schema, t.origin, t.traceparent,
      coalesce(t.actor, agent_actor(t.owner_id, CASE WHEN t.origin = 'dashboard' THEN NULL ELSE t.key_id END)), 'running',
      t.max_credits,
      stop_at, t.attachments, t.summary_model, coalesce(t.metadata, before.metadata),
      coalesce(t.schedule_id, before.schedule_id), coalesce(t.customer_id, before.customer_id), t.permissions, t.person_id,
      t.memory, t.checks);
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

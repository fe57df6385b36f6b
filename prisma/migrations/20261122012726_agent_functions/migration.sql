-- By hand: schema.prisma does not say this.
-- Everything that changes an agent run is one statement, so that no lock outlives a round trip of the process that
-- asked for it, however slow or frozen that process is.
-- Lock order: jobs by id, then what credits_settle locks.

-- Holds under a conversation's spend limit, ended without a charge. The job's row is locked.
CREATE FUNCTION agent_void_holds(p_job uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE ids uuid[] := ARRAY(SELECT h.id FROM hold h WHERE h.limit_id = p_job);
BEGIN
  IF ids = '{}' THEN RETURN; END IF;
  PERFORM credits_settle(ids, array_fill(0::bigint, ARRAY[cardinality(ids)]), array_fill(false, ARRAY[cardinality(ids)]),
    array_fill('void'::text, ARRAY[cardinality(ids)]),
    array_fill('{"error": "The run was taken over."}'::jsonb, ARRAY[cardinality(ids)]),
    array_fill(NULL::int, ARRAY[cardinality(ids)]), array_fill(NULL::text, ARRAY[cardinality(ids)]));
END $$;

-- Whether a call of this conversation is still in progress: its hold is no older than the longest call, and the process
-- that took it is not known to be dead (see credits_dead_holds).
CREATE FUNCTION agent_has_live_call(p_job uuid, p_longest_call_s int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE is_renewed boolean;
BEGIN
  SELECT bool_or(coalesce(p.lease_until > now(), false)) INTO is_renewed FROM hold h LEFT JOIN holder p ON p.id = h.holder_id
    WHERE h.limit_id = p_job AND h.created_at > now() - make_interval(secs => p_longest_call_s);
  RETURN CASE WHEN is_renewed IS NULL THEN false WHEN is_renewed THEN true
    ELSE credits_tick() > now() - interval '25 seconds' END;
END $$;

-- Claims a run for a process: raises the fencing token, so that whoever had the claim can write nothing more, counts an
-- attempt of the step in progress, and voids every hold made under an older token.
-- Outcomes: claimed | over (nothing to do) | later (a call of the cancelled turn before is still in progress; waited for
--           at most `p_longest_call_s` seconds, and no longer than its process lives)
--           | isolate (this step stalled a process once: it is to be claimed by a process of its own)
CREATE FUNCTION agent_claim(p_job uuid, p_run uuid, p_holder uuid, p_isolated boolean, p_longest_call_s int)
RETURNS TABLE (outcome text, owner_id int, fence int, attempts int, stalls int, reached_by text) LANGUAGE plpgsql AS $$
DECLARE j job;
BEGIN
  SELECT * INTO j FROM job WHERE job.id = p_job FOR NO KEY UPDATE;
  IF j.id IS NULL OR j.run_id <> p_run OR j.status <> 'running' THEN
    outcome := 'over';
  ELSIF j.fence_run_id <> p_run AND agent_has_live_call(p_job, p_longest_call_s) THEN
    outcome := 'later';
  ELSIF j.stalls = 1 AND NOT p_isolated THEN
    outcome := 'isolate';
  ELSE
    outcome := 'claimed';
    UPDATE job SET fence = job.fence + 1, fence_run_id = p_run, holder_id = p_holder, tries = job.tries + 1,
      updated_at = clock_timestamp() WHERE job.id = p_job RETURNING * INTO j;
    PERFORM agent_void_holds(p_job);
  END IF;
  owner_id := j.owner_id; fence := j.fence; attempts := j.tries; stalls := j.stalls; reached_by := j.reached_by;
  RETURN NEXT;
END $$;

-- Commits steps and what follows from them, each with its charge. Every item names a claim: job, run, fencing token.
-- An item may have a step, a settlement of the step's hold, and a transition:
--   continue | limit (a limit keeps the run from its next step) | retry (a further attempt of the step)
--   | pause (`awaiting`: a person is asked) | end (`status`, `result`) | release (`message`: sent to the workers)
-- A step comes with up to three variants of its output and error: as settled; `limited`, if the credits ran out during
-- the call; `expired`, if its hold was void before. Without a variant the step is as settled.
-- Going: on | over (the run has ended, pauses or was cancelled; its step is kept and charged)
--        | fenced (somebody else has the claim: nothing was written, the hold is void)
-- The rest is what credits_settle returned, and the limit that keeps the run from its next step.
-- A repeat finds the step that was written under its fencing token, and returns the first outcome. An item that cannot
-- be done is data, not an error, so that it never fails the others.
CREATE FUNCTION agent_commit(p_items jsonb, p_send text)
RETURNS TABLE (n int, going text, variant text, outcome text, charged bigint, held bigint, limited text, reached text)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
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
        (j.fence = i.fence AND (w.index IS NULL OR w.fence = i.fence)) IS TRUE AS is_mine,
        j.run_id = i.run AND j.status = 'running' AS is_live
      FROM ROWS FROM (jsonb_to_recordset(p_items) AS (job uuid, run uuid, fence int, index int, hold uuid, actual bigint,
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

  INSERT INTO step (job_id, index, run_id, kind, name, hold_id, fence, charged, input, output, error, started_at, ended_at)
    SELECT i.job, i.index, i.run, i.kind, i.name, i.hold, i.fence, r_charged[i.n], i.input,
      CASE WHEN i.varied THEN i.variants -> r_variant[i.n] -> 'output' ELSE i.output END,
      CASE WHEN i.varied THEN i.variants -> r_variant[i.n] -> 'error' ELSE i.error END, i.started_at, clock_timestamp()
    FROM (
      SELECT x.*, x.ordinality::int AS n, x.variants ? r_variant[x.ordinality] IS TRUE AS varied
      FROM ROWS FROM (jsonb_to_recordset(p_items) AS (job uuid, run uuid, fence int, index int, kind text, name text,
        hold uuid, input jsonb, output jsonb, error jsonb, variants jsonb, started_at timestamptz)) WITH ORDINALITY x) i
    WHERE i.index IS NOT NULL AND r_going[i.n] <> 'fenced' AND NOT is_known[i.n]
    ON CONFLICT DO NOTHING;

  -- A step that is written ends its attempts; whatever kept the run from its next step is kept.
  UPDATE job j SET tries = 1, stalls = 0, updated_at = clock_timestamp(), reached_by = coalesce(j.reached_by, i.reached)
    FROM (
      SELECT x.job, min(coalesce(x.reached, r_limited[x.ordinality])) AS reached
      FROM ROWS FROM (jsonb_to_recordset(p_items) AS (job uuid, index int, reached text)) WITH ORDINALITY x
      WHERE x.index IS NOT NULL AND r_going[x.ordinality] = 'on' AND NOT is_known[x.ordinality] GROUP BY x.job) i
    WHERE j.id = i.job;

  FOR item IN
    SELECT x.*, x.ordinality::int AS n FROM ROWS FROM (jsonb_to_recordset(p_items) AS (job uuid, run uuid, index int,
      transition text, reached text, attempts int, awaiting jsonb, status_after text, result text, message text))
      WITH ORDINALITY x
    WHERE x.transition <> 'continue' AND NOT (x.transition = 'limit' AND x.index IS NOT NULL)
      AND r_going[x.ordinality] = 'on' ORDER BY x.ordinality
  LOOP
    CASE item.transition
      WHEN 'limit' THEN
        UPDATE job SET reached_by = coalesce(reached_by, item.reached), updated_at = clock_timestamp() WHERE id = item.job;
      WHEN 'retry' THEN
        UPDATE job SET tries = item.attempts WHERE id = item.job;
      WHEN 'pause' THEN
        UPDATE job SET status = 'awaiting_input', awaiting = item.awaiting, tries = 0, updated_at = clock_timestamp()
          WHERE id = item.job;
      WHEN 'end' THEN
        PERFORM agent_end(item.job, item.run, item.status_after, item.result);
      WHEN 'release' THEN
        UPDATE job SET tries = 0, fence = fence + 1, holder_id = NULL WHERE id = item.job;
        EXECUTE p_send USING item.message;
    END CASE;
    IF item.transition IN ('pause', 'end', 'release') THEN r_going[item.n] := 'over'; END IF;
  END LOOP;

  RETURN QUERY SELECT u.n::int, u.going, u.variant, u.outcome, u.charged, u.held, u.limited,
      (SELECT j.reached_by FROM job j WHERE j.id = (p_items -> (u.n::int - 1) ->> 'job')::uuid)
    FROM unnest(r_going, r_variant, r_outcome, r_charged, r_held, r_limited) WITH ORDINALITY
      AS u (going, variant, outcome, charged, held, limited, n) ORDER BY u.n;
END $$;

-- Ends a job's turn. The job's row is locked.
CREATE FUNCTION agent_end(p_job uuid, p_run uuid, p_status text, p_result text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE job SET status = p_status, result = p_result, awaiting = NULL, tries = 0, stalls = 0, updated_at = clock_timestamp()
    WHERE id = p_job;
  UPDATE turn SET status = p_status, result = p_result, ended_at = clock_timestamp() WHERE run_id = p_run;
END $$;

-- Ends a run that is live, whoever has its claim. False when it is not.
CREATE FUNCTION agent_cancel(p_job uuid, p_run uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM job j WHERE j.id = p_job AND j.run_id = p_run AND j.status IN ('running', 'awaiting_input')
    FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM agent_end(p_job, p_run, 'cancelled', NULL);
  RETURN true;
END $$;

-- Writes a person's answer to what a run asked, with the step it becomes, if it becomes one, and sends the run to the
-- workers. False when the run does not ask that any more.
CREATE FUNCTION agent_answer(p_job uuid, p_run uuid, p_answer jsonb, p_step jsonb, p_send text, p_message text)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE asked int := p_answer ->> 'index';
BEGIN
  PERFORM 1 FROM job j WHERE j.id = p_job AND j.run_id = p_run AND j.status = 'awaiting_input'
    AND (j.awaiting ->> 'index')::int = asked FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO answer (job_id, index, approved, feedback, key_id)
    VALUES (p_job, asked, (p_answer ->> 'approved')::boolean, p_answer ->> 'feedback', (p_answer ->> 'keyId')::int);
  IF p_step IS NOT NULL THEN
    INSERT INTO step (job_id, index, run_id, kind, name, input, output, error, started_at, ended_at)
      SELECT p_job, asked, p_run, s.kind, s.name, s.input, s.output, s.error, clock_timestamp(), clock_timestamp()
      FROM jsonb_to_record(p_step) AS s (kind text, name text, input jsonb, output jsonb, error jsonb);
  END IF;
  UPDATE job SET status = 'running', awaiting = NULL, tries = 0, stalls = 0, updated_at = clock_timestamp() WHERE id = p_job;
  EXECUTE p_send USING p_message;
  RETURN true;
END $$;

-- Sends a run to the workers, if it is live. With `p_is_lost` only if no message for it is waiting or in progress.
CREATE FUNCTION agent_send(p_job uuid, p_run uuid, p_is_lost boolean, p_send text, p_message text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM job j WHERE j.id = p_job AND j.run_id = p_run AND j.status = 'running' FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  IF p_is_lost AND EXISTS (SELECT 1 FROM pgboss.job m
    WHERE m.name = 'agent-runs' AND m.state < 'completed' AND m.singleton_key = p_job::text) THEN RETURN false; END IF;
  EXECUTE p_send USING p_message;
  RETURN true;
END $$;

-- Starts a run: of a new conversation, or of one that is idle. `p_turn` is the turn's row, with `title`.
-- Outcomes: started | missing (this owner has no such conversation) | live (a run of it is in progress)
--           | spent (by `credits`, under its spend limit) | short (`credits` are free, which `limit_source` allows)
-- Raises unique_violation when the owner has used the idempotency key.
CREATE FUNCTION agent_start(p_turn jsonb, p_is_new boolean, p_least bigint, p_send text, p_message text)
RETURNS TABLE (outcome text, credits bigint, limit_source text) LANGUAGE plpgsql AS $$
DECLARE t record; j job; place int := 1; balance bigint; budget bigint;
BEGIN
  SELECT * INTO t FROM jsonb_to_record(p_turn) AS x (run_id uuid, job_id uuid, owner_id int, key_id int, title text,
    idempotency_key text, goal text, mode text, model text, agent text, capabilities text[], cap_credits bigint,
    history_turn_limit int);
  IF NOT p_is_new THEN
    SELECT * INTO j FROM job WHERE job.id = t.job_id AND job.owner_id = t.owner_id FOR NO KEY UPDATE;
    outcome := CASE WHEN j.id IS NULL THEN 'missing' WHEN j.status IN ('running', 'awaiting_input') THEN 'live' END;
    IF outcome IS NOT NULL THEN RETURN NEXT; RETURN; END IF;
    SELECT l.spent INTO credits FROM spend_limit l WHERE l.id = t.job_id;
    IF j.reached_by IS NOT NULL OR credits >= t.cap_credits THEN outcome := 'spent'; RETURN NEXT; RETURN; END IF;
    SELECT max(w.number) + 1 INTO place FROM turn w WHERE w.job_id = t.job_id;
  END IF;

  SELECT a.available INTO balance FROM account a WHERE a.owner_id = t.owner_id;
  SELECT k.budget - k.spent - k.held INTO budget FROM "key" k WHERE k.id = t.key_id AND k.owner_id = t.owner_id;
  credits := least(coalesce(balance, 0), budget);
  limit_source := CASE WHEN budget < coalesce(balance, 0) THEN 'key_budget' ELSE 'balance' END;
  IF credits < p_least THEN outcome := 'short'; RETURN NEXT; RETURN; END IF;

  INSERT INTO job (id, owner_id, title, status, run_id)
    SELECT t.job_id, t.owner_id, t.title, 'running', t.run_id WHERE p_is_new;
  INSERT INTO turn (run_id, job_id, owner_id, number, key_id, idempotency_key, goal, mode, model, agent, capabilities,
      cap_credits, history_turn_limit, status)
    VALUES (t.run_id, t.job_id, t.owner_id, place, t.key_id, t.idempotency_key, t.goal, t.mode, t.model, t.agent,
      t.capabilities, t.cap_credits, t.history_turn_limit, 'running');
  UPDATE job SET status = 'running', run_id = t.run_id, result = NULL, awaiting = NULL, tries = 0, stalls = 0,
    updated_at = clock_timestamp() WHERE job.id = t.job_id AND NOT p_is_new;
  -- A spend limit never goes below what is spent or held already.
  INSERT INTO spend_limit (id, owner_id, cap) VALUES (t.job_id, t.owner_id, t.cap_credits)
    ON CONFLICT (id) DO UPDATE SET cap = greatest(excluded.cap, spend_limit.spent + spend_limit.held);
  EXECUTE p_send USING p_message;
  outcome := 'started';
  RETURN NEXT;
END $$;

-- Cancels runs whose answer did not come within `p_days`. Returns how many there were.
CREATE FUNCTION agent_cancel_forgotten(p_days int, p_result text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE cancelled int;
BEGIN
  PERFORM agent_end(j.id, j.run_id, 'cancelled', p_result) FROM (
    SELECT f.id, f.run_id FROM job f
    WHERE f.status = 'awaiting_input' AND f.updated_at < now() - make_interval(days => p_days)
    ORDER BY f.id LIMIT 100 FOR NO KEY UPDATE SKIP LOCKED) j;
  GET DIAGNOSTICS cancelled = ROW_COUNT;
  RETURN cancelled;
END $$;

-- Notes that a process has stalled: each run it has the claim of has one stall more. Returns how many there were.
CREATE FUNCTION agent_mark_stalled(p_holder uuid) RETURNS int LANGUAGE plpgsql AS $$
DECLARE marked int;
BEGIN
  WITH claimed AS (
    SELECT id FROM job WHERE holder_id = p_holder AND status = 'running' ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE job SET stalls = stalls + 1, stalled_at = clock_timestamp() FROM claimed WHERE job.id = claimed.id;
  GET DIAGNOSTICS marked = ROW_COUNT;
  RETURN marked;
END $$;

-- Live jobs, for whoever looks for lost, forgotten and stalled ones. Without `updated_at` in an index a step's update of
-- its job stays on the job's page.
CREATE INDEX job_live_idx ON job (status, holder_id) WHERE status IN ('running', 'awaiting_input');

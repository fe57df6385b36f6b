-- Starts a run: of a new conversation, or of one that is idle. `p_turn` is the turn's row, with
-- `title`.
-- Outcomes: started | missing (this owner has no such conversation)
--           | live (a run of it is in progress)
--           | spent (`credits` so far: its spend limit, or what ended it, leaves nothing)
--           | short (only `credits` are available, by the limit `limit_source`)
-- Raises unique_violation when the owner has used the idempotency key.
CREATE OR REPLACE FUNCTION agent_start(p_turn jsonb, p_is_new boolean, p_least bigint, p_send text, p_message text)
RETURNS TABLE (outcome text, credits bigint, limit_source text) LANGUAGE plpgsql AS $$
DECLARE t record; j job; place int := 1; balance bigint; budget bigint;
BEGIN
  SELECT * INTO t FROM jsonb_to_record(p_turn) AS x (run_id uuid, job_id uuid, owner_id int, key_id int, title text,
    idempotency_key text, goal text, mode text, model text, agent text, capabilities text[], cap_credits bigint,
    history_turn_limit int, callback_url text);
  IF NOT p_is_new THEN
    SELECT * INTO j FROM job WHERE job.id = t.job_id AND job.owner_id = t.owner_id FOR NO KEY UPDATE;
    outcome := CASE WHEN j.id IS NULL THEN 'missing' WHEN j.status IN ('running', 'awaiting_input') THEN 'live' END;
    IF outcome IS NOT NULL THEN RETURN NEXT; RETURN; END IF;
    SELECT l.spent INTO credits FROM spend_limit l WHERE l.id = t.job_id;
    IF j.reached_by = 'conversation' OR credits >= t.cap_credits THEN outcome := 'spent'; RETURN NEXT; RETURN; END IF;
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
      cap_credits, history_turn_limit, callback_url, status)
    VALUES (t.run_id, t.job_id, t.owner_id, place, t.key_id, t.idempotency_key, t.goal, t.mode, t.model, t.agent,
      t.capabilities, t.cap_credits, t.history_turn_limit, t.callback_url, 'running');
  -- What stopped the run before may have credits again, but for its spend limit (see above).
  UPDATE job SET status = 'running', run_id = t.run_id, reached_by = NULL, result = NULL, awaiting = NULL, tries = 0,
    stalls = 0, updated_at = clock_timestamp() WHERE job.id = t.job_id AND NOT p_is_new;
  -- A spend limit never goes below what is spent or held already.
  INSERT INTO spend_limit (id, owner_id, cap) VALUES (t.job_id, t.owner_id, t.cap_credits)
    ON CONFLICT (id) DO UPDATE SET cap = greatest(excluded.cap, spend_limit.spent + spend_limit.held);
  EXECUTE p_send USING p_message;
  outcome := 'started';
  RETURN NEXT;
END $$;

-- Takes a hold per item, each for as much as its limits allow between `p_least` and `p_most`, so
-- that `p_spare` credits remain.
-- Outcomes: held | again (the hold exists) | settled (it was settled; amount = its charge)
--           | key_gone | balance | key_budget | conversation (refused: which limit)
--           | busy (the owner has `p_max_calls` in progress; steps of agent runs neither count nor
--             are refused)
--           | replay (reply_* are the stored response) | in_flight | mismatch (the idempotency
--             token)
-- Locked rows are read once into arrays, counted down item by item, and written once: the cost of a
-- call hardly grows with its items.
CREATE OR REPLACE FUNCTION credits_reserve(
  p_holder uuid, p_id uuid[], p_owner int[], p_key int[], p_limit uuid[],
  p_least bigint[], p_most bigint[], p_spare bigint[],
  p_door text[], p_product text[], p_what text[], p_token text[], p_body bytea[], p_max_calls int DEFAULT NULL
) RETURNS TABLE (n int, outcome text, amount bigint, reply_status int, reply_answer text, reply_charged bigint)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  r_outcome text[] := array_fill(NULL::text, ARRAY[cardinality(p_id)]);
  r_amount bigint[] := array_fill(0::bigint, ARRAY[cardinality(p_id)]);
  has_limit boolean := array_remove(p_limit, NULL) <> '{}';
  limits uuid[]; limit_free bigint[]; limit_held bigint[]; limit_owner int[];
  keys int[]; key_free bigint[]; key_held bigint[]; key_valid boolean[]; key_owner int[];
  owners int[]; balance bigint[]; owner_held bigint[]; calls int[]; owner_calls int[];
  item record;
  stored record;
  first_n int; k int; o int; l int;
  free bigint; granted bigint;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM holder h WHERE h.id = p_holder AND h.lease_until > now() + interval '30 seconds') THEN
    PERFORM credits_renew(p_holder);
  END IF;

  IF has_limit THEN
    SELECT array_agg(x.id), array_agg(x.free), array_agg(0::bigint), array_agg(x.owner_id)
      INTO limits, limit_free, limit_held, limit_owner FROM (
        SELECT s.id, s.owner_id, s.cap - s.spent - s.held AS free FROM spend_limit s WHERE s.id = ANY (p_limit)
        ORDER BY s.id FOR NO KEY UPDATE) x;
  END IF;
  SELECT array_agg(x.id), array_agg(x.free), array_agg(0::bigint), array_agg(x.valid), array_agg(x.owner_id)
    INTO keys, key_free, key_held, key_valid, key_owner FROM (
      SELECT y.id, y.owner_id, y.budget - y.spent - y.held AS free,
        y.revoked_at IS NULL AND (y.expires_at IS NULL OR y.expires_at > now()) AS valid
      FROM "key" y WHERE y.id = ANY (p_key) ORDER BY y.id FOR NO KEY UPDATE) x;
  SELECT array_agg(x.owner_id), array_agg(x.available), array_agg(0::bigint), array_agg(x.calls), array_agg(0)
    INTO owners, balance, owner_held, calls, owner_calls FROM (
      SELECT a.owner_id, a.available, a.calls FROM account a WHERE a.owner_id = ANY (p_owner)
      ORDER BY a.owner_id FOR NO KEY UPDATE) x;

  FOR item IN
    SELECT u.*, (SELECT h.amount FROM hold h WHERE h.id = u.id) AS hold_amount,
      (SELECT c.charged FROM receipt c WHERE c.id = u.id) AS charged
    FROM unnest(p_id, p_owner, p_key, p_limit, p_least, p_most, p_spare, p_door, p_token, p_body)
      WITH ORDINALITY AS u (id, owner, key, spend_limit, least, most, spare, door, token, body, n)
  LOOP
    n := item.n; amount := 0; reply_status := NULL; reply_answer := NULL; reply_charged := NULL;
    first_n := array_position(p_id, item.id);
    k := array_position(keys, item.key);
    o := array_position(owners, item.owner);
    l := array_position(limits, item.spend_limit);
    IF limit_owner[l] <> item.owner THEN l := NULL; END IF;

    IF first_n < item.n THEN
      outcome := CASE r_outcome[first_n] WHEN 'held' THEN 'again' ELSE r_outcome[first_n] END;
      amount := r_amount[first_n];
    ELSIF item.hold_amount IS NOT NULL THEN
      outcome := 'again'; amount := item.hold_amount;
    ELSIF item.charged IS NOT NULL THEN
      outcome := 'settled'; amount := item.charged;
    ELSIF item.key IS NOT NULL AND (key_valid[k] AND key_owner[k] = item.owner) IS NOT TRUE THEN
      outcome := 'key_gone';
    ELSE
      outcome := NULL;
      IF item.token IS NOT NULL THEN
        SELECT i.* INTO stored FROM idempotency i WHERE i.key_id = item.key AND i.token = item.token;
        IF FOUND AND stored.status IS NOT NULL AND stored.created_at < now() - interval '24 hours' THEN
          DELETE FROM idempotency i WHERE i.key_id = item.key AND i.token = item.token;
        ELSIF FOUND THEN
          outcome := CASE WHEN stored.body_hash <> item.body THEN 'mismatch'
            WHEN stored.status IS NULL THEN 'in_flight' ELSE 'replay' END;
          IF outcome = 'replay' THEN
            reply_status := stored.status; reply_answer := stored.answer; reply_charged := stored.charged;
          END IF;
        END IF;
      END IF;
      IF outcome IS NULL AND item.door <> 'agent' AND calls[o] + owner_calls[o] >= p_max_calls THEN
        outcome := 'busy';
      ELSIF outcome IS NULL THEN
        free := least(coalesce(balance[o], 0), key_free[k],
          CASE WHEN item.spend_limit IS NOT NULL THEN coalesce(limit_free[l], 0) END);
        IF free < item.least + item.spare THEN
          outcome := CASE WHEN item.spend_limit IS NOT NULL AND free = coalesce(limit_free[l], 0) THEN 'conversation'
            WHEN free = key_free[k] THEN 'key_budget' ELSE 'balance' END;
          amount := free;
        ELSE
          granted := least(item.most, free - item.spare);
          outcome := 'held'; amount := granted;
          IF o IS NOT NULL THEN
            balance[o] := balance[o] - granted; owner_held[o] := owner_held[o] + granted;
            owner_calls[o] := owner_calls[o] + (item.door <> 'agent')::int;
          END IF;
          IF k IS NOT NULL THEN key_free[k] := key_free[k] - granted; key_held[k] := key_held[k] + granted; END IF;
          IF l IS NOT NULL THEN limit_free[l] := limit_free[l] - granted; limit_held[l] := limit_held[l] + granted; END IF;
          IF item.token IS NOT NULL THEN
            INSERT INTO idempotency (key_id, token, body_hash, hold_id) VALUES (item.key, item.token, item.body, item.id);
          END IF;
        END IF;
      END IF;
    END IF;
    r_outcome[n] := outcome; r_amount[n] := amount;
    RETURN NEXT;
  END LOOP;

  IF 'held' = ANY (r_outcome) THEN
    INSERT INTO hold (id, amount, created_at, holder_id, limit_id, owner_id, key_id, door, product, what, keeps_answer)
      SELECT u.id, u.amount, clock_timestamp(), p_holder, u.spend_limit, u.owner, u.key, u.door, u.product, u.what, u.token IS NOT NULL
      FROM unnest(p_id, r_amount, r_outcome, p_limit, p_owner, p_key, p_door, p_product, p_what, p_token)
        AS u (id, amount, outcome, spend_limit, owner, key, door, product, what, token)
      WHERE u.outcome = 'held';
    IF has_limit THEN
      UPDATE spend_limit s SET held = s.held + d.held FROM unnest(limits, limit_held) AS d (id, held)
        WHERE s.id = d.id AND d.held > 0;
    END IF;
    UPDATE "key" y SET held = y.held + d.held FROM unnest(keys, key_held) AS d (id, held) WHERE y.id = d.id AND d.held > 0;
    UPDATE account a SET available = a.available - d.held, held = a.held + d.held, calls = a.calls + d.calls
      FROM unnest(owners, owner_held, owner_calls) AS d (id, held, calls)
      WHERE a.owner_id = d.id AND (d.held > 0 OR d.calls > 0);
  END IF;
END $$;

-- Ends holds: each charges its `actual`, clamped to the hold, or, where `extend` is set, to the
-- hold and what is still free under every limit. Writes ledger and receipt, and stores the response
-- of idempotent calls.
-- Outcomes: done | again (settled before: the first charge) | expired (it was swept: charged 0)
--           | unknown (no such hold)
-- `limited`: with `extend`, the limit that left less than the call cost.
-- A hold is only ever ended under the lock of its owner's account, so holds themselves need none.
CREATE OR REPLACE FUNCTION credits_settle(
  p_id uuid[], p_actual bigint[], p_extend boolean[], p_status text[], p_detail jsonb[],
  p_reply_status int[], p_reply_answer text[]
) RETURNS TABLE (n int, outcome text, charged bigint, held bigint, limited text)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  r_outcome text[] := array_fill(NULL::text, ARRAY[cardinality(p_id)]);
  r_charged bigint[] := array_fill(0::bigint, ARRAY[cardinality(p_id)]);
  r_limited text[] := array_fill(NULL::text, ARRAY[cardinality(p_id)]);
  free bigint;
  limits uuid[]; limit_free bigint[]; limit_held bigint[]; limit_spent bigint[];
  keys int[]; key_free bigint[]; key_held bigint[]; key_spent bigint[];
  owners int[]; balance bigint[]; owner_held bigint[]; owner_spent bigint[];
  item record;
  before record;
  first_n int; k int; o int; l int;
  keeps boolean;
BEGIN
  SELECT array_agg(DISTINCT h.limit_id) FILTER (WHERE h.limit_id IS NOT NULL), array_agg(DISTINCT h.key_id),
    array_agg(DISTINCT h.owner_id), bool_or(h.keeps_answer)
    INTO limits, keys, owners, keeps FROM hold h WHERE h.id = ANY (p_id);
  IF limits IS NOT NULL THEN
    SELECT array_agg(x.id), array_agg(x.free), array_agg(0::bigint), array_agg(0::bigint)
      INTO limits, limit_free, limit_held, limit_spent FROM (
        SELECT s.id, s.cap - s.spent - s.held AS free FROM spend_limit s WHERE s.id = ANY (limits)
        ORDER BY s.id FOR NO KEY UPDATE) x;
  END IF;
  SELECT array_agg(x.id), array_agg(x.free), array_agg(0::bigint), array_agg(0::bigint)
    INTO keys, key_free, key_held, key_spent FROM (
      SELECT y.id, y.budget - y.spent - y.held AS free FROM "key" y WHERE y.id = ANY (keys)
      ORDER BY y.id FOR NO KEY UPDATE) x;
  SELECT array_agg(x.owner_id), array_agg(x.available), array_agg(0::bigint), array_agg(0::bigint)
    INTO owners, balance, owner_held, owner_spent FROM (
      SELECT a.owner_id, a.available FROM account a WHERE a.owner_id = ANY (owners)
      ORDER BY a.owner_id FOR NO KEY UPDATE) x;

  FOR item IN
    SELECT u.*, h.amount, h.owner_id, h.key_id, h.limit_id
    FROM unnest(p_id, p_actual, p_extend) WITH ORDINALITY AS u (id, actual, extend, n)
    LEFT JOIN LATERAL (SELECT * FROM hold WHERE hold.id = u.id) h ON true
  LOOP
    n := item.n; charged := 0; held := coalesce(item.amount, 0); limited := NULL;
    first_n := array_position(p_id, item.id);

    IF first_n < item.n THEN
      outcome := CASE r_outcome[first_n] WHEN 'done' THEN 'again' ELSE r_outcome[first_n] END;
      charged := r_charged[first_n];
    ELSIF item.amount IS NULL THEN
      SELECT c.status, c.charged AS charge, c.held AS amount INTO before FROM receipt c WHERE c.id = item.id;
      outcome := CASE WHEN NOT FOUND THEN 'unknown' WHEN before.status = 'expired' THEN 'expired' ELSE 'again' END;
      charged := coalesce(before.charge, 0); held := coalesce(before.amount, 0);
    ELSE
      k := array_position(keys, item.key_id);
      o := array_position(owners, item.owner_id);
      l := array_position(limits, item.limit_id);
      IF o IS NULL OR (item.key_id IS NOT NULL AND k IS NULL) OR (item.limit_id IS NOT NULL AND l IS NULL) THEN
        -- The hold appeared after the rows were locked: start again, with its rows too.
        RAISE EXCEPTION 'a hold appeared' USING ERRCODE = 'serialization_failure';
      END IF;
      charged := greatest(0, least(item.actual, item.amount));
      IF item.extend AND item.actual > item.amount THEN
        free := least(balance[o], key_free[k], limit_free[l]);
        charged := least(item.actual, item.amount + free);
        IF charged < item.actual THEN
          limited := CASE free WHEN limit_free[l] THEN 'conversation' WHEN key_free[k] THEN 'key_budget' ELSE 'balance' END;
        END IF;
      END IF;
      outcome := 'done';
      balance[o] := balance[o] + item.amount - charged;
      owner_held[o] := owner_held[o] + item.amount; owner_spent[o] := owner_spent[o] + charged;
      IF k IS NOT NULL THEN
        key_free[k] := key_free[k] + item.amount - charged;
        key_held[k] := key_held[k] + item.amount; key_spent[k] := key_spent[k] + charged;
      END IF;
      IF l IS NOT NULL THEN
        limit_free[l] := limit_free[l] + item.amount - charged;
        limit_held[l] := limit_held[l] + item.amount; limit_spent[l] := limit_spent[l] + charged;
      END IF;
    END IF;
    r_outcome[n] := outcome; r_charged[n] := charged; r_limited[n] := limited;
    RETURN NEXT;
  END LOOP;

  IF 'done' = ANY (r_outcome) THEN
    WITH ended AS (
      DELETE FROM hold h USING unnest(p_id, r_outcome, r_charged, p_status, p_detail) AS u (id, outcome, charged, status, detail)
      WHERE h.id = u.id AND u.outcome = 'done' RETURNING h.*, u.charged, u.status, u.detail
    ), receipts AS (
      INSERT INTO receipt (id, at, started_at, held, charged, limit_id, owner_id, key_id, status, door, product, what, detail)
      SELECT e.id, clock_timestamp(), e.created_at, e.amount, e.charged, e.limit_id, e.owner_id, e.key_id, e.status, e.door,
        e.product, e.what, e.detail FROM ended e
    )
    INSERT INTO ledger (at, amount, hold_id, owner_id, key_id)
      SELECT clock_timestamp(), -e.charged, e.id, e.owner_id, e.key_id FROM ended e WHERE e.charged > 0;
    IF limits IS NOT NULL THEN
      UPDATE spend_limit s SET held = s.held - d.held, spent = s.spent + d.spent
        FROM unnest(limits, limit_held, limit_spent) AS d (id, held, spent) WHERE s.id = d.id;
    END IF;
    UPDATE "key" y SET held = y.held - d.held, spent = y.spent + d.spent
      FROM unnest(keys, key_held, key_spent) AS d (id, held, spent) WHERE y.id = d.id;
    UPDATE account a SET held = a.held - d.held, available = a.available + d.held - d.spent
      FROM unnest(owners, owner_held, owner_spent) AS d (id, held, spent) WHERE a.owner_id = d.id;
  END IF;
  IF keeps THEN
    -- A metered call that exhausted the credits stores only the limit: its repeat is the same 402.
    UPDATE idempotency i SET status = CASE WHEN u.dry THEN 402 ELSE u.reply_status END,
      answer = CASE WHEN u.dry THEN u.limited ELSE u.reply_answer END, charged = u.charged, created_at = now()
      FROM (SELECT v.*, v.limited IS NOT NULL AND v.reply_status < 400 AS dry
        FROM unnest(p_id, r_charged, r_outcome, r_limited, p_reply_status, p_reply_answer)
        AS v (id, charged, outcome, limited, reply_status, reply_answer)) u
      WHERE i.hold_id = u.id AND u.outcome = 'done' AND u.reply_status IS NOT NULL;
    DELETE FROM idempotency i WHERE i.hold_id = ANY (p_id) AND i.status IS NULL;
  END IF;
END $$;

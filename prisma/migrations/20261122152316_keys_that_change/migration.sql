-- AlterTable
ALTER TABLE "account" ADD COLUMN     "suspended_at" TIMESTAMPTZ(3),
ADD COLUMN     "suspended_for" TEXT;

-- AlterTable
ALTER TABLE "key" ADD COLUMN     "grants_version" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "period" TEXT,
ADD COLUMN     "period_budget" BIGINT,
ADD COLUMN     "period_end" TIMESTAMPTZ(3),
ADD COLUMN     "period_held" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "period_spent" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "period_start" TIMESTAMPTZ(3),
ADD COLUMN     "tags" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "owner" ADD COLUMN     "time_zone" TEXT NOT NULL DEFAULT 'UTC';

-- Starts a run: of a new conversation, or of one that is idle. `p_turn` is the turn's row, with
-- `title`.
-- Outcomes: started | missing (this owner has no such conversation)
--           | live (a run of it is in progress)
--           | spent (`credits` so far: its spend limit, or what ended it, leaves nothing)
--           | short (only `credits` are available, by the limit `limit_source`)
-- Raises unique_violation when the owner has used the idempotency key.
CREATE OR REPLACE FUNCTION agent_start(p_turn jsonb, p_is_new boolean, p_least bigint, p_send text, p_message text)
RETURNS TABLE (outcome text, credits bigint, limit_source text) LANGUAGE plpgsql AS $$
DECLARE t record; j job; place int := 1; balance bigint; budget bigint; period bigint;
BEGIN
  SELECT * INTO t FROM jsonb_to_record(p_turn) AS x (run_id uuid, job_id uuid, owner_id int, key_id int, title text,
    idempotency_key text, goal text, mode text, model text, agent text, capabilities text[], cap_credits bigint,
    history_turn_limit int, callback_url text, output_schema jsonb);
  IF NOT p_is_new THEN
    SELECT * INTO j FROM job WHERE job.id = t.job_id AND job.owner_id = t.owner_id FOR NO KEY UPDATE;
    outcome := CASE WHEN j.id IS NULL THEN 'missing' WHEN j.status IN ('running', 'awaiting_input') THEN 'live' END;
    IF outcome IS NOT NULL THEN RETURN NEXT; RETURN; END IF;
    SELECT l.spent INTO credits FROM spend_limit l WHERE l.id = t.job_id;
    IF j.reached_by = 'conversation' OR credits >= t.cap_credits THEN outcome := 'spent'; RETURN NEXT; RETURN; END IF;
    SELECT max(w.number) + 1 INTO place FROM turn w WHERE w.job_id = t.job_id;
  END IF;

  SELECT a.available INTO balance FROM account a WHERE a.owner_id = t.owner_id;
  SELECT k.budget - k.spent - k.held,
      CASE WHEN k.period_end <= clock_timestamp() THEN k.period_budget ELSE k.period_budget - k.period_spent - k.period_held END
    INTO budget, period FROM "key" k WHERE k.id = t.key_id AND k.owner_id = t.owner_id;
  credits := least(coalesce(balance, 0), budget, period);
  limit_source := CASE credits WHEN coalesce(balance, 0) THEN 'balance' WHEN budget THEN 'key_budget' ELSE 'key_period' END;
  IF credits < p_least THEN outcome := 'short'; RETURN NEXT; RETURN; END IF;

  INSERT INTO job (id, owner_id, title, status, run_id)
    SELECT t.job_id, t.owner_id, t.title, 'running', t.run_id WHERE p_is_new;
  INSERT INTO turn (run_id, job_id, owner_id, number, key_id, idempotency_key, goal, mode, model, agent, capabilities,
      cap_credits, history_turn_limit, callback_url, output_schema, status)
    VALUES (t.run_id, t.job_id, t.owner_id, place, t.key_id, t.idempotency_key, t.goal, t.mode, t.model, t.agent,
      t.capabilities, t.cap_credits, t.history_turn_limit, t.callback_url, t.output_schema, 'running');
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

-- Takes a call's charge back, once: a positive ledger row, the receipt at 0 with `p_status`.
-- Returns what was given back: 0 when nothing was charged, or when it was given back before.
CREATE OR REPLACE FUNCTION credits_refund(p_id uuid, p_status text, p_note text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE r record;
BEGIN
  SELECT c.* INTO r FROM receipt c WHERE c.id = p_id;
  IF NOT FOUND THEN RETURN 0; END IF;
  PERFORM 1 FROM spend_limit s WHERE s.id = r.limit_id FOR NO KEY UPDATE;
  PERFORM 1 FROM "key" y WHERE y.id = r.key_id FOR NO KEY UPDATE;
  PERFORM 1 FROM account a WHERE a.owner_id = r.owner_id FOR NO KEY UPDATE;
  SELECT c.* INTO r FROM receipt c WHERE c.id = p_id;
  IF r.charged = 0 THEN RETURN 0; END IF;
  INSERT INTO ledger (at, amount, hold_id, owner_id, key_id, note)
    VALUES (clock_timestamp(), r.charged, r.id, r.owner_id, r.key_id, p_note);
  UPDATE receipt c SET charged = 0, status = coalesce(p_status, c.status),
    detail = coalesce(c.detail, '{}') || jsonb_build_object('refunded', r.charged) WHERE c.id = p_id;
  UPDATE spend_limit s SET spent = s.spent - r.charged WHERE s.id = r.limit_id;
  UPDATE "key" y SET spent = y.spent - r.charged,
    period_spent = y.period_spent - CASE WHEN r.started_at >= y.period_start THEN r.charged ELSE 0 END WHERE y.id = r.key_id;
  UPDATE account a SET available = a.available + r.charged WHERE a.owner_id = r.owner_id;
  DELETE FROM idempotency i WHERE i.hold_id = p_id;
  RETURN r.charged;
END $$;

-- Takes a hold per item, each for as much as its limits allow between `p_least` and `p_most`, so
-- that `p_spare` credits remain.
-- Outcomes: held | again (the hold exists) | settled (it was settled; amount = its charge)
--           | key_gone | balance | key_budget | key_period | conversation (refused: which limit)
--           | suspended (the owner's account; reply_answer says why)
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
  window_free bigint[]; window_end timestamptz[]; newest_start timestamptz; at timestamptz;
  owners int[]; balance bigint[]; owner_held bigint[]; calls int[]; owner_calls int[]; suspended text[];
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
  SELECT array_agg(x.id), array_agg(x.free), array_agg(0::bigint), array_agg(x.valid), array_agg(x.owner_id),
      array_agg(x.free_in_window), array_agg(x.period_end), max(x.period_start)
    INTO keys, key_free, key_held, key_valid, key_owner, window_free, window_end, newest_start FROM (
      SELECT y.id, y.owner_id, y.budget - y.spent - y.held AS free,
        y.period_budget - y.period_spent - y.period_held AS free_in_window, y.period_start, y.period_end,
        y.revoked_at IS NULL AND (y.expires_at IS NULL OR y.expires_at > now()) AS valid
      FROM "key" y WHERE y.id = ANY (p_key) ORDER BY y.id FOR NO KEY UPDATE) x;
  -- When the holds were taken, which says in which window of their key they count: read under the
  -- lock, in the precision that is stored, and never before a window that has begun.
  at := greatest(date_trunc('milliseconds', clock_timestamp()), newest_start);
  IF at >= ANY (window_end) THEN
    FOR item IN SELECT r.* FROM credits_begin_period(keys, at) r LOOP
      window_free[array_position(keys, item.key_id)] := item.free;
    END LOOP;
  END IF;
  SELECT array_agg(x.owner_id), array_agg(x.available), array_agg(0::bigint), array_agg(x.calls), array_agg(0), array_agg(x.suspended_for)
    INTO owners, balance, owner_held, calls, owner_calls, suspended FROM (
      SELECT a.owner_id, a.available, a.calls, a.suspended_for FROM account a WHERE a.owner_id = ANY (p_owner)
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
    ELSIF suspended[o] IS NOT NULL THEN
      outcome := 'suspended'; reply_answer := suspended[o];
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
        free := least(coalesce(balance[o], 0), key_free[k], window_free[k],
          CASE WHEN item.spend_limit IS NOT NULL THEN coalesce(limit_free[l], 0) END);
        IF free < item.least + item.spare THEN
          outcome := CASE WHEN item.spend_limit IS NOT NULL AND free = coalesce(limit_free[l], 0) THEN 'conversation'
            WHEN free = key_free[k] THEN 'key_budget' WHEN free = window_free[k] THEN 'key_period' ELSE 'balance' END;
          amount := free;
        ELSE
          granted := least(item.most, free - item.spare);
          outcome := 'held'; amount := granted;
          IF o IS NOT NULL THEN
            balance[o] := balance[o] - granted; owner_held[o] := owner_held[o] + granted;
            owner_calls[o] := owner_calls[o] + (item.door <> 'agent')::int;
          END IF;
          IF k IS NOT NULL THEN
            key_free[k] := key_free[k] - granted; key_held[k] := key_held[k] + granted;
            window_free[k] := window_free[k] - granted;
          END IF;
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
      SELECT u.id, u.amount, at, p_holder, u.spend_limit, u.owner, u.key, u.door, u.product, u.what, u.token IS NOT NULL
      FROM unnest(p_id, r_amount, r_outcome, p_limit, p_owner, p_key, p_door, p_product, p_what, p_token)
        AS u (id, amount, outcome, spend_limit, owner, key, door, product, what, token)
      WHERE u.outcome = 'held';
    IF has_limit THEN
      UPDATE spend_limit s SET held = s.held + d.held FROM unnest(limits, limit_held) AS d (id, held)
        WHERE s.id = d.id AND d.held > 0;
    END IF;
    UPDATE "key" y SET held = y.held + d.held,
        period_held = CASE WHEN y.period_budget IS NULL THEN 0 ELSE y.period_held + d.held END
      FROM unnest(keys, key_held) AS d (id, held) WHERE y.id = d.id AND d.held > 0;
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
  window_free bigint[]; window_start timestamptz[]; window_held bigint[]; window_spent bigint[];
  owners int[]; balance bigint[]; owner_held bigint[]; owner_spent bigint[];
  item record;
  before record;
  first_n int; k int; o int; l int;
  keeps boolean;
  in_window boolean;
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
  SELECT array_agg(x.id), array_agg(x.free), array_agg(0::bigint), array_agg(0::bigint),
      array_agg(x.free_in_window), array_agg(x.period_start), array_agg(0::bigint), array_agg(0::bigint)
    INTO keys, key_free, key_held, key_spent, window_free, window_start, window_held, window_spent FROM (
      SELECT y.id, y.budget - y.spent - y.held AS free, y.period_budget - y.period_spent - y.period_held AS free_in_window,
        y.period_start
      FROM "key" y WHERE y.id = ANY (keys) ORDER BY y.id FOR NO KEY UPDATE) x;
  SELECT array_agg(x.owner_id), array_agg(x.available), array_agg(0::bigint), array_agg(0::bigint)
    INTO owners, balance, owner_held, owner_spent FROM (
      SELECT a.owner_id, a.available FROM account a WHERE a.owner_id = ANY (owners)
      ORDER BY a.owner_id FOR NO KEY UPDATE) x;

  FOR item IN
    SELECT u.*, h.amount, h.owner_id, h.key_id, h.limit_id, h.created_at
    FROM unnest(p_id, p_actual, p_extend) WITH ORDINALITY AS u (id, actual, extend, n)
    LEFT JOIN LATERAL (SELECT * FROM hold WHERE hold.id = u.id) h ON true
    ORDER BY u.n
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
      -- A call counts in the window of its key in which its hold was taken, also after its end.
      in_window := coalesce(item.created_at >= window_start[k], false);
      charged := greatest(0, least(item.actual, item.amount));
      IF item.extend AND item.actual > item.amount THEN
        free := least(balance[o], key_free[k], limit_free[l],
          CASE WHEN in_window THEN window_free[k] WHEN window_start[k] IS NOT NULL THEN 0 END);
        charged := least(item.actual, item.amount + free);
        IF charged < item.actual THEN
          limited := CASE free WHEN limit_free[l] THEN 'conversation' WHEN key_free[k] THEN 'key_budget'
            WHEN balance[o] THEN 'balance' ELSE 'key_period' END;
        END IF;
      END IF;
      outcome := 'done';
      balance[o] := balance[o] + item.amount - charged;
      owner_held[o] := owner_held[o] + item.amount; owner_spent[o] := owner_spent[o] + charged;
      IF k IS NOT NULL THEN
        key_free[k] := key_free[k] + item.amount - charged;
        key_held[k] := key_held[k] + item.amount; key_spent[k] := key_spent[k] + charged;
        IF in_window THEN
          window_free[k] := window_free[k] + item.amount - charged;
          window_held[k] := window_held[k] + item.amount; window_spent[k] := window_spent[k] + charged;
        END IF;
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
    UPDATE "key" y SET held = y.held - d.held, spent = y.spent + d.spent,
        period_held = y.period_held - d.window_held, period_spent = y.period_spent + d.window_spent
      FROM unnest(keys, key_held, key_spent, window_held, window_spent) AS d (id, held, spent, window_held, window_spent)
      WHERE y.id = d.id;
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

-- Authenticates requests by the hash of their key and counts them in the key's minute and, with
-- `p_owner_rpm`, in the owner's, over all keys; each starts with its first request. `rpm`,
-- `remaining` and `reset_s` are those of the window that leaves less. Equal hashes share one lookup
-- and one write. No lock on a key or an account is taken or waited for.
-- States: unknown | revoked | expired | suspended (its account; `reason` says why) | limited
--         | owner_limited | ok
CREATE OR REPLACE FUNCTION keys_authenticate(p_hash bytea[], p_owner_rpm int)
RETURNS TABLE (n int, state text, key_id int, owner_id int, rpm int, remaining int, reset_s int, grants_version int, reason text)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  g record; at timestamptz := clock_timestamp(); spot int;
  key_window record; owner_window record;
  free int; owner_free int; by_owner boolean; granted int;
BEGIN
  -- The order of the locks: by owner, the owner's window first, then those of its keys.
  FOR g IN
    SELECT k.id, k.owner_id AS owner, k.rpm AS per_minute, k.grants_version AS version, l.used_at, u.ns,
      cardinality(u.ns) AS wanted, a.suspended_for,
      CASE WHEN k.id IS NULL THEN 'unknown' WHEN k.revoked_at IS NOT NULL THEN 'revoked'
        WHEN k.expires_at <= at OR s.expires_at <= at THEN 'expired'
        WHEN a.suspended_for IS NOT NULL THEN 'suspended' ELSE 'ok' END AS verdict
    FROM (SELECT i.hash, array_agg(i.n ORDER BY i.n) AS ns FROM unnest(p_hash) WITH ORDINALITY AS i (hash, n) GROUP BY i.hash) u
    LEFT JOIN LATERAL (SELECT * FROM key_secret WHERE key_secret.hash = u.hash) s ON true
    LEFT JOIN LATERAL (SELECT * FROM "key" WHERE "key".id = s.key_id) k ON true
    LEFT JOIN LATERAL (SELECT * FROM key_use WHERE key_use.key_id = k.id) l ON true
    LEFT JOIN LATERAL (SELECT account.suspended_for FROM account WHERE account.owner_id = k.owner_id) a ON true
    ORDER BY k.owner_id, k.id
  LOOP
    key_id := g.id; owner_id := g.owner; rpm := g.per_minute; grants_version := g.version;
    reason := g.suspended_for; reset_s := NULL; granted := 0; free := NULL;
    IF g.verdict = 'ok' THEN
      owner_free := NULL;
      IF p_owner_rpm IS NOT NULL THEN
        SELECT * INTO owner_window FROM rate_open('owner:' || g.owner, at);
        owner_free := greatest(p_owner_rpm - owner_window.used, 0);
      END IF;
      SELECT * INTO key_window FROM rate_open('key:' || g.id, at);
      free := greatest(g.per_minute - key_window.used, 0);
      by_owner := coalesce(owner_free < free, false);
      granted := least(g.wanted, free, owner_free);
      IF granted > 0 THEN
        UPDATE rate_window r SET started_at = key_window.began, count = key_window.used + granted WHERE r.id = 'key:' || g.id;
        IF p_owner_rpm IS NOT NULL THEN
          UPDATE rate_window r SET started_at = owner_window.began, count = owner_window.used + granted
            WHERE r.id = 'owner:' || g.owner;
        END IF;
      END IF;
      reset_s := least(60, greatest(1, ceil(extract(epoch FROM key_window.began - at) + 60)));
      IF by_owner THEN
        rpm := p_owner_rpm; free := owner_free;
        reset_s := least(60, greatest(1, ceil(extract(epoch FROM owner_window.began - at) + 60)));
      END IF;
      IF g.used_at IS NULL OR g.used_at < at - interval '1 minute' THEN
        INSERT INTO key_use (key_id, used_at) VALUES (g.id, at)
          ON CONFLICT ON CONSTRAINT key_use_pkey DO UPDATE SET used_at = excluded.used_at;
      END IF;
    END IF;
    FOR spot IN 1..g.wanted LOOP
      n := g.ns[spot];
      state := CASE WHEN g.verdict <> 'ok' THEN g.verdict WHEN spot <= granted THEN 'ok'
        WHEN by_owner THEN 'owner_limited' ELSE 'limited' END;
      remaining := CASE WHEN g.verdict = 'ok' THEN greatest(free - spot, 0) END;
      RETURN NEXT;
    END LOOP;
  END LOOP;
END $$;

-- The day, week (from Monday) or month around a moment, as one begins in a time zone.
CREATE OR REPLACE FUNCTION budget_period(p_period text, p_zone text, p_at timestamptz, OUT begins timestamptz, OUT ends timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT date_trunc(p_period, p_at, p_zone), (date_trunc(p_period, p_at AT TIME ZONE p_zone) + ('1 ' || p_period)::interval) AT TIME ZONE p_zone
$$;

-- Begins the window of a recurring budget for the keys whose last one has ended at `p_at`; its
-- caller has locked them. Returns what each of these windows allows. Where the owner has moved to
-- another time zone, the window begins at the end of the last one.
CREATE OR REPLACE FUNCTION credits_begin_period(p_key int[], p_at timestamptz)
RETURNS TABLE (key_id int, free bigint) LANGUAGE sql AS $$
  UPDATE "key" y SET period_start = w.begins, period_end = w.ends, period_spent = 0, period_held = 0
    FROM (SELECT k.id, greatest(b.begins, k.period_end) AS begins, b.ends
      FROM "key" k JOIN owner o ON o.id = k.owner_id, LATERAL budget_period(k.period, o.time_zone, p_at) b
      WHERE k.id = ANY (p_key) AND k.period_end <= p_at) w
    WHERE y.id = w.id
    RETURNING y.id, y.period_budget
$$;

-- Called by processes of the previous release only; keys_authenticate is the same and says more. To
-- be dropped in the next release.
CREATE OR REPLACE FUNCTION keys_admit(p_hash bytea[], p_owner_rpm int DEFAULT NULL)
RETURNS TABLE (n int, state text, key_id int, owner_id int, rpm int, remaining int, reset_s int) LANGUAGE sql AS $$
  SELECT a.n, CASE a.state WHEN 'suspended' THEN 'revoked' ELSE a.state END, a.key_id, a.owner_id, a.rpm, a.remaining, a.reset_s
  FROM keys_authenticate(p_hash, p_owner_rpm) a
$$;

-- By hand: schema.prisma does not say this.
ALTER TABLE "key" ADD CONSTRAINT key_period_check CHECK (
  (period IS NULL) = (period_budget IS NULL) AND (period IS NULL) = (period_start IS NULL) AND (period IS NULL) = (period_end IS NULL)
  AND period IN ('day', 'week', 'month') AND period_start < period_end AND period_spent >= 0 AND period_held >= 0
  AND period_spent + period_held <= period_budget) NOT VALID;

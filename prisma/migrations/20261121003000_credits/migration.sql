-- The last line of defence: these never fire in normal work.
ALTER TABLE account ADD CHECK (available >= 0), ADD CHECK (held >= 0);
ALTER TABLE "key" ADD CHECK (spent >= 0), ADD CHECK (held >= 0), ADD CHECK (budget IS NULL OR spent + held <= budget);
ALTER TABLE spend_limit ADD CHECK (spent >= 0), ADD CHECK (held >= 0), ADD CHECK (spent + held <= cap);
ALTER TABLE hold ADD CHECK (amount >= 0);
ALTER TABLE receipt ADD CHECK (charged >= 0), ADD CHECK (status IN ('ok', 'failed', 'void', 'expired'));

-- Rows that are updated on every call stay on their page, and short-lived ones are cleaned early.
ALTER TABLE account SET (fillfactor = 50);
ALTER TABLE "key" SET (fillfactor = 50);
ALTER TABLE rate_window SET (fillfactor = 50);
ALTER TABLE hold SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Lock order of every function here: spend limits, keys, accounts, holds, each by id, all at the top.

-- Says that a process lives, so that its holds stand.
CREATE FUNCTION credits_renew(p_holder uuid) RETURNS void LANGUAGE sql AS $$
  INSERT INTO holder (id, lease_until) VALUES (p_holder, now() + interval '45 seconds')
    ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until;
$$;

-- Takes a hold per item, each for as much as its limits allow between `least` and `most`, leaving `spare` free.
-- Outcomes: held | again (this hold stands already) | settled (it was settled; amount = its charge)
--           | key_gone | balance | key_budget | conversation (refused: which limit)
--           | replay (reply_* hold the stored answer) | in_flight | mismatch (the idempotency token)
-- Locked rows are read once into arrays, counted down item by item, and written once: the cost of a call hardly
-- grows with its items.
CREATE FUNCTION credits_reserve(
  p_holder uuid, p_id uuid[], p_owner int[], p_key int[], p_limit uuid[],
  p_least bigint[], p_most bigint[], p_spare bigint[],
  p_door text[], p_product text[], p_what text[], p_token text[], p_body bytea[]
) RETURNS TABLE (n int, outcome text, amount bigint, reply_status int, reply_answer text, reply_charged bigint)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  r_outcome text[] := array_fill(NULL::text, ARRAY[cardinality(p_id)]);
  r_amount bigint[] := array_fill(0::bigint, ARRAY[cardinality(p_id)]);
  has_limit boolean := array_remove(p_limit, NULL) <> '{}';
  limits uuid[]; limit_free bigint[]; limit_held bigint[]; limit_owner int[];
  keys int[]; key_free bigint[]; key_held bigint[]; key_valid boolean[]; key_owner int[];
  owners int[]; balance bigint[]; owner_held bigint[];
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
  SELECT array_agg(x.owner_id), array_agg(x.available), array_agg(0::bigint) INTO owners, balance, owner_held FROM (
    SELECT a.owner_id, a.available FROM account a WHERE a.owner_id = ANY (p_owner)
    ORDER BY a.owner_id FOR NO KEY UPDATE) x;

  FOR item IN
    SELECT u.*, (SELECT h.amount FROM hold h WHERE h.id = u.id) AS hold_amount,
      (SELECT c.charged FROM receipt c WHERE c.id = u.id) AS charged
    FROM unnest(p_id, p_owner, p_key, p_limit, p_least, p_most, p_spare, p_token, p_body)
      WITH ORDINALITY AS u (id, owner, key, spend_limit, least, most, spare, token, body, n)
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
      IF outcome IS NULL THEN
        free := least(coalesce(balance[o], 0), key_free[k],
          CASE WHEN item.spend_limit IS NOT NULL THEN coalesce(limit_free[l], 0) END);
        IF free < item.least + item.spare THEN
          outcome := CASE free WHEN key_free[k] THEN 'key_budget' WHEN coalesce(balance[o], 0) THEN 'balance' ELSE 'conversation' END;
          amount := free;
        ELSE
          granted := least(item.most, free - item.spare);
          outcome := 'held'; amount := granted;
          IF o IS NOT NULL THEN balance[o] := balance[o] - granted; owner_held[o] := owner_held[o] + granted; END IF;
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
    UPDATE account a SET available = a.available - d.held, held = a.held + d.held
      FROM unnest(owners, owner_held) AS d (id, held) WHERE a.owner_id = d.id AND d.held > 0;
  END IF;
END $$;

-- Ends holds: each charges its `actual`, clamped to the hold, or, where `extend` is set, to the hold and what is
-- still free under every limit. Writes ledger and receipt, and keeps the answer of idempotent calls.
-- Outcomes: done | again (settled before: the first charge) | expired (it was swept: charged 0) | unknown (no such hold)
-- `limited`: with `extend`, the limit that left less than the call cost.
-- A hold is only ever ended under the lock of its owner's account, so holds themselves need none.
CREATE FUNCTION credits_settle(
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
      IF o IS NULL THEN
        -- The hold came to be after the rows were locked: begin anew, with its rows too.
        RAISE EXCEPTION 'a hold appeared' USING ERRCODE = 'serialization_failure';
      END IF;
      charged := greatest(0, least(item.actual, item.amount));
      IF item.extend AND item.actual > item.amount THEN
        free := least(balance[o], key_free[k], limit_free[l]);
        charged := least(item.actual, item.amount + free);
        IF charged < item.actual THEN
          limited := CASE free WHEN key_free[k] THEN 'key_budget' WHEN balance[o] THEN 'balance' ELSE 'conversation' END;
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
    -- A metered call whose credits ran out keeps no result, only the limit: its repeat is the same 402.
    UPDATE idempotency i SET status = CASE WHEN u.dry THEN 402 ELSE u.reply_status END,
      answer = CASE WHEN u.dry THEN u.limited ELSE u.reply_answer END, charged = u.charged, created_at = now()
      FROM (SELECT v.*, v.limited IS NOT NULL AND v.reply_status < 400 AS dry
        FROM unnest(p_id, r_charged, r_outcome, r_limited, p_reply_status, p_reply_answer)
        AS v (id, charged, outcome, limited, reply_status, reply_answer)) u
      WHERE i.hold_id = u.id AND u.outcome = 'done' AND u.reply_status IS NOT NULL;
    DELETE FROM idempotency i WHERE i.hold_id = ANY (p_id) AND i.status IS NULL;
  END IF;
END $$;

-- Voids up to 500 holds whose process died. Answers how many, and the credits they held.
CREATE FUNCTION credits_sweep() RETURNS TABLE (swept int, credits bigint) LANGUAGE plpgsql AS $$
DECLARE ids uuid[];
BEGIN
  SELECT array_agg(d.id) INTO ids FROM (
    SELECT h.id FROM hold h LEFT JOIN holder p ON p.id = h.holder_id
    WHERE p.id IS NULL OR p.lease_until < now() ORDER BY h.id LIMIT 500) d;
  swept := 0; credits := 0;
  IF ids IS NOT NULL THEN
    SELECT count(*), coalesce(sum(s.held), 0) INTO swept, credits FROM credits_settle(
      ids, array_fill(0::bigint, ARRAY[cardinality(ids)]), array_fill(false, ARRAY[cardinality(ids)]),
      array_fill('expired'::text, ARRAY[cardinality(ids)]), array_fill(NULL::jsonb, ARRAY[cardinality(ids)]),
      array_fill(NULL::int, ARRAY[cardinality(ids)]), array_fill(NULL::text, ARRAY[cardinality(ids)])) s
      WHERE s.outcome = 'done';
  END IF;
  DELETE FROM holder p WHERE p.lease_until < now() - interval '1 hour'
    AND NOT EXISTS (SELECT 1 FROM hold h WHERE h.holder_id = p.id);
  DELETE FROM idempotency i WHERE i.status IS NOT NULL AND i.created_at < now() - interval '24 hours';
  RETURN NEXT;
END $$;

-- Adds credits (or, negative, takes back what is still available). Answers the new available balance, or NULL when
-- a correction exceeds it.
CREATE FUNCTION credits_grant(p_owner int, p_amount bigint, p_note text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE balance bigint;
BEGIN
  INSERT INTO account (owner_id, available, held) VALUES (p_owner, 0, 0) ON CONFLICT (owner_id) DO NOTHING;
  UPDATE account SET available = available + p_amount WHERE owner_id = p_owner AND available + p_amount >= 0
    RETURNING available INTO balance;
  IF balance IS NOT NULL THEN
    INSERT INTO ledger (at, amount, owner_id, note) VALUES (clock_timestamp(), p_amount, p_owner, p_note);
  END IF;
  RETURN balance;
END $$;

-- Counts one attempt under `p_id`; false when the window already has `p_max`. Rejected attempts do not count.
CREATE FUNCTION rate_hit(p_id text, p_max int, p_seconds int, OUT allowed boolean, OUT reset_s int)
LANGUAGE plpgsql AS $$
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
END $$;

-- Authenticates requests by the hash of their key and counts them in the key's minute, which starts with its first
-- request. Equal hashes share one lookup and one write. States: unknown | revoked | expired | limited | ok
CREATE FUNCTION keys_admit(p_hash bytea[])
RETURNS TABLE (n int, state text, key_id int, owner_id int, rpm int, remaining int, reset_s int)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE g record; began timestamptz; used_before int; granted int; at timestamptz := clock_timestamp(); spot int;
BEGIN
  FOR g IN
    SELECT k.id, k.owner_id AS owner, k.rpm AS per_minute, k.last_used_at, u.ns, 'key:' || k.id AS slot,
      CASE WHEN k.id IS NULL THEN 'unknown' WHEN k.revoked_at IS NOT NULL THEN 'revoked'
        WHEN k.expires_at <= at OR s.expires_at <= at THEN 'expired' ELSE 'ok' END AS verdict
    FROM (SELECT i.hash, array_agg(i.n ORDER BY i.n) AS ns FROM unnest(p_hash) WITH ORDINALITY AS i (hash, n) GROUP BY i.hash) u
    LEFT JOIN LATERAL (SELECT * FROM key_secret WHERE key_secret.hash = u.hash) s ON true
    LEFT JOIN LATERAL (SELECT * FROM "key" WHERE "key".id = s.key_id) k ON true
    ORDER BY k.id
  LOOP
    key_id := g.id; owner_id := g.owner; rpm := g.per_minute; reset_s := NULL;
    granted := 0; used_before := NULL;
    IF g.verdict = 'ok' THEN
      LOOP
        UPDATE rate_window r SET
          started_at = CASE WHEN o.fresh THEN at ELSE o.started_at END,
          count = o.used + least(cardinality(g.ns), greatest(g.per_minute - o.used, 0))
        FROM (SELECT x.id, x.started_at, x.started_at <= at - interval '60 seconds' AS fresh,
            CASE WHEN x.started_at <= at - interval '60 seconds' THEN 0 ELSE x.count END AS used
          FROM rate_window x WHERE x.id = g.slot FOR UPDATE) o
        WHERE r.id = o.id RETURNING r.started_at, o.used INTO began, used_before;
        EXIT WHEN FOUND;
        INSERT INTO rate_window (id, started_at, count) VALUES (g.slot, at, 0) ON CONFLICT (id) DO NOTHING;
      END LOOP;
      granted := least(cardinality(g.ns), greatest(g.per_minute - used_before, 0));
      reset_s := least(60, greatest(1, ceil(extract(epoch FROM began - at) + 60)));
      IF g.last_used_at IS NULL OR g.last_used_at < at - interval '1 minute' THEN
        UPDATE "key" SET last_used_at = at WHERE id = g.id;
      END IF;
    END IF;
    FOR spot IN 1..cardinality(g.ns) LOOP
      n := g.ns[spot];
      state := CASE WHEN g.verdict <> 'ok' THEN g.verdict WHEN spot <= granted THEN 'ok' ELSE 'limited' END;
      remaining := CASE WHEN g.verdict = 'ok' THEN greatest(g.per_minute - used_before - spot, 0) END;
      RETURN NEXT;
    END LOOP;
  END LOOP;
END $$;

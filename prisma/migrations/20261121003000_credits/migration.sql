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

-- Takes a hold per item, each for as much as its limits allow between `least` and `most`, leaving `spare` free.
-- Outcomes: held | again (this hold stands already) | settled (it was settled; amount = its charge)
--           | key_gone | balance | key_budget | conversation (refused: which limit)
--           | replay (reply_* hold the stored answer) | in_flight | mismatch (the idempotency token)
CREATE FUNCTION credits_reserve(
  p_holder uuid, p_id uuid[], p_owner int[], p_key int[], p_limit uuid[],
  p_least bigint[], p_most bigint[], p_spare bigint[],
  p_door text[], p_product text[], p_what text[], p_token text[], p_body bytea[]
) RETURNS TABLE (n int, outcome text, amount bigint, reply_status int, reply_answer text, reply_charged bigint)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  r_outcome text[] := array_fill(NULL::text, ARRAY[cardinality(p_id)]);
  r_amount bigint[] := array_fill(0::bigint, ARRAY[cardinality(p_id)]);
  item record;
  stored record;
  owner_now int := NULL;
  key_now int := NULL;
  key_valid boolean := true;
  key_free bigint := NULL;
  balance bigint := 0;
  limit_free bigint;
  free bigint;
  granted bigint;
BEGIN
  INSERT INTO holder (id, lease_until) VALUES (p_holder, now() + interval '45 seconds')
    ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until
    WHERE holder.lease_until < now() + interval '30 seconds';

  PERFORM 1 FROM spend_limit WHERE id = ANY (p_limit) ORDER BY id FOR NO KEY UPDATE;
  PERFORM 1 FROM "key" WHERE id = ANY (p_key) ORDER BY id FOR NO KEY UPDATE;
  PERFORM 1 FROM account WHERE owner_id = ANY (p_owner) ORDER BY owner_id FOR NO KEY UPDATE;

  FOR item IN
    SELECT u.*, min(u.n) OVER (PARTITION BY u.id) AS first_n,
      (SELECT h.amount FROM hold h WHERE h.id = u.id) AS hold_amount,
      (SELECT c.charged FROM receipt c WHERE c.id = u.id) AS charged
    FROM unnest(p_id, p_owner, p_key, p_limit, p_least, p_most, p_spare, p_token, p_body)
      WITH ORDINALITY AS u (id, owner, key, spend_limit, least, most, spare, token, body, n)
    ORDER BY u.owner, u.key NULLS FIRST, u.n
  LOOP
    n := item.n; amount := 0; reply_status := NULL; reply_answer := NULL; reply_charged := NULL;

    IF owner_now IS DISTINCT FROM item.owner THEN
      owner_now := item.owner;
      key_now := NULL; key_valid := true; key_free := NULL;
      balance := coalesce((SELECT a.available FROM account a WHERE a.owner_id = item.owner), 0);
    END IF;
    IF key_now IS DISTINCT FROM item.key THEN
      key_now := item.key;
      SELECT k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()), k.budget - k.spent - k.held
        INTO key_valid, key_free FROM "key" k WHERE k.id = item.key AND k.owner_id = item.owner;
      key_valid := coalesce(key_valid, false);
    END IF;

    IF item.first_n < item.n THEN
      outcome := CASE r_outcome[item.first_n] WHEN 'held' THEN 'again' ELSE r_outcome[item.first_n] END;
      amount := r_amount[item.first_n];
      RETURN NEXT; CONTINUE;
    END IF;
    IF item.hold_amount IS NOT NULL OR item.charged IS NOT NULL THEN
      outcome := CASE WHEN item.hold_amount IS NOT NULL THEN 'again' ELSE 'settled' END;
      amount := coalesce(item.hold_amount, item.charged);
      r_outcome[item.n] := outcome;
      RETURN NEXT; CONTINUE;
    END IF;
    IF NOT key_valid THEN
      outcome := 'key_gone'; r_outcome[item.n] := outcome;
      RETURN NEXT; CONTINUE;
    END IF;

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
        r_outcome[item.n] := outcome;
        RETURN NEXT; CONTINUE;
      END IF;
    END IF;

    limit_free := NULL;
    IF item.spend_limit IS NOT NULL THEN
      SELECT l.cap - l.spent - l.held INTO limit_free FROM spend_limit l
        WHERE l.id = item.spend_limit AND l.owner_id = item.owner;
      limit_free := coalesce(limit_free, 0) - coalesce((SELECT sum(r_amount[b.n]) FROM unnest(p_limit) WITH ORDINALITY b (id, n)
        WHERE b.id = item.spend_limit AND r_outcome[b.n] = 'held'), 0);
    END IF;
    free := least(balance, key_free, limit_free);
    IF free < item.least + item.spare THEN
      outcome := CASE free WHEN key_free THEN 'key_budget' WHEN limit_free THEN 'conversation' ELSE 'balance' END;
      amount := free; r_outcome[item.n] := outcome;
      RETURN NEXT; CONTINUE;
    END IF;

    granted := least(item.most, free - item.spare);
    balance := balance - granted;
    key_free := key_free - granted;
    outcome := 'held'; amount := granted;
    r_outcome[item.n] := outcome; r_amount[item.n] := granted;
    IF item.token IS NOT NULL THEN
      INSERT INTO idempotency (key_id, token, body_hash, hold_id) VALUES (item.key, item.token, item.body, item.id);
    END IF;
    RETURN NEXT;
  END LOOP;

  INSERT INTO hold (id, amount, created_at, holder_id, limit_id, owner_id, key_id, door, product, what, keeps_answer)
    SELECT u.id, u.amount, clock_timestamp(), p_holder, u.spend_limit, u.owner, u.key, u.door, u.product, u.what, u.token IS NOT NULL
    FROM unnest(p_id, r_amount, r_outcome, p_limit, p_owner, p_key, p_door, p_product, p_what, p_token)
      AS u (id, amount, outcome, spend_limit, owner, key, door, product, what, token)
    WHERE u.outcome = 'held';
  UPDATE spend_limit l SET held = l.held + d.amount
    FROM (SELECT u.id, sum(u.amount) AS amount FROM unnest(p_limit, r_amount, r_outcome) AS u (id, amount, outcome)
      WHERE u.outcome = 'held' AND u.id IS NOT NULL GROUP BY u.id) d WHERE l.id = d.id;
  UPDATE "key" k SET held = k.held + d.amount
    FROM (SELECT u.id, sum(u.amount) AS amount FROM unnest(p_key, r_amount, r_outcome) AS u (id, amount, outcome)
      WHERE u.outcome = 'held' AND u.id IS NOT NULL GROUP BY u.id) d WHERE k.id = d.id;
  UPDATE account a SET available = a.available - d.amount, held = a.held + d.amount
    FROM (SELECT u.id, sum(u.amount) AS amount FROM unnest(p_owner, r_amount, r_outcome) AS u (id, amount, outcome)
      WHERE u.outcome = 'held' GROUP BY u.id) d WHERE a.owner_id = d.id;
END $$;

-- Ends holds: each charges its `actual`, clamped to the hold, or, where `extend` is set, to the hold and what is
-- still free under every limit. Writes ledger and receipt, and keeps the answer of idempotent calls.
-- Outcomes: done | again (settled before: the first charge) | expired (it was swept: charged 0) | unknown (no such hold)
CREATE FUNCTION credits_settle(
  p_id uuid[], p_actual bigint[], p_extend boolean[], p_status text[], p_detail jsonb[],
  p_reply_status int[], p_reply_answer text[]
) RETURNS TABLE (n int, outcome text, charged bigint, held bigint)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  r_outcome text[] := array_fill(NULL::text, ARRAY[cardinality(p_id)]);
  r_charged bigint[] := array_fill(0::bigint, ARRAY[cardinality(p_id)]);
  item record;
  before record;
  owner_now int := NULL;
  key_now int := NULL;
  key_free bigint := NULL;
  balance bigint := 0;
  limit_free bigint;
  limits uuid[]; keys int[]; owners int[];
  keeps boolean;
BEGIN
  SELECT array_agg(DISTINCT h.limit_id), array_agg(DISTINCT h.key_id), array_agg(DISTINCT h.owner_id), bool_or(h.keeps_answer)
    INTO limits, keys, owners, keeps FROM hold h WHERE h.id = ANY (p_id);
  PERFORM 1 FROM spend_limit WHERE id = ANY (limits) ORDER BY id FOR NO KEY UPDATE;
  PERFORM 1 FROM "key" WHERE id = ANY (keys) ORDER BY id FOR NO KEY UPDATE;
  PERFORM 1 FROM account WHERE owner_id = ANY (owners) ORDER BY owner_id FOR NO KEY UPDATE;
  PERFORM 1 FROM hold WHERE id = ANY (p_id) ORDER BY id FOR UPDATE;

  FOR item IN
    SELECT u.*, min(u.n) OVER (PARTITION BY u.id) AS first_n, h.amount, h.owner_id, h.key_id, h.limit_id
    FROM unnest(p_id, p_actual, p_extend) WITH ORDINALITY AS u (id, actual, extend, n)
    LEFT JOIN LATERAL (SELECT * FROM hold WHERE hold.id = u.id) h ON true
    ORDER BY h.owner_id, h.key_id NULLS FIRST, u.n
  LOOP
    n := item.n; charged := 0; held := coalesce(item.amount, 0);

    IF item.first_n < item.n THEN
      outcome := CASE r_outcome[item.first_n] WHEN 'done' THEN 'again' ELSE r_outcome[item.first_n] END;
      charged := r_charged[item.first_n];
      RETURN NEXT; CONTINUE;
    END IF;
    IF item.amount IS NULL THEN
      SELECT c.status, c.charged AS charge, c.held AS amount INTO before FROM receipt c WHERE c.id = item.id;
      outcome := CASE WHEN NOT FOUND THEN 'unknown' WHEN before.status = 'expired' THEN 'expired' ELSE 'again' END;
      charged := coalesce(before.charge, 0); held := coalesce(before.amount, 0);
      r_outcome[item.n] := outcome; r_charged[item.n] := charged;
      RETURN NEXT; CONTINUE;
    END IF;

    IF owner_now IS DISTINCT FROM item.owner_id THEN
      owner_now := item.owner_id;
      key_now := NULL; key_free := NULL;
      SELECT a.available INTO balance FROM account a WHERE a.owner_id = item.owner_id;
    END IF;
    IF key_now IS DISTINCT FROM item.key_id THEN
      key_now := item.key_id;
      SELECT k.budget - k.spent - k.held INTO key_free FROM "key" k WHERE k.id = item.key_id;
    END IF;

    charged := least(item.actual, item.amount);
    IF item.extend AND item.actual > item.amount THEN
      limit_free := NULL;
      IF item.limit_id IS NOT NULL THEN
        SELECT l.cap - l.spent - l.held INTO limit_free FROM spend_limit l WHERE l.id = item.limit_id;
        limit_free := limit_free - coalesce((SELECT sum(r_charged[b.n] - b.amount)
          FROM (SELECT o.n, h.amount FROM unnest(p_id) WITH ORDINALITY o (id, n) JOIN hold h ON h.id = o.id
            WHERE h.limit_id = item.limit_id) b WHERE r_outcome[b.n] = 'done'), 0);
      END IF;
      charged := least(item.actual, item.amount + least(balance, key_free, limit_free));
    END IF;
    balance := balance + item.amount - charged;
    key_free := key_free + item.amount - charged;
    outcome := 'done';
    r_outcome[item.n] := outcome; r_charged[item.n] := charged;
    RETURN NEXT;
  END LOOP;

  INSERT INTO receipt (id, at, started_at, held, charged, limit_id, owner_id, key_id, status, door, product, what, detail)
    SELECT h.id, clock_timestamp(), h.created_at, h.amount, u.charged, h.limit_id, h.owner_id, h.key_id, u.status, h.door, h.product, h.what, u.detail
    FROM unnest(p_id, r_charged, r_outcome, p_status, p_detail) AS u (id, charged, outcome, status, detail)
    JOIN LATERAL (SELECT * FROM hold WHERE hold.id = u.id) h ON true WHERE u.outcome = 'done';
  INSERT INTO ledger (at, amount, hold_id, owner_id, key_id)
    SELECT clock_timestamp(), -u.charged, h.id, h.owner_id, h.key_id
    FROM unnest(p_id, r_charged, r_outcome) AS u (id, charged, outcome)
    JOIN LATERAL (SELECT * FROM hold WHERE hold.id = u.id) h ON true WHERE u.outcome = 'done' AND u.charged > 0;
  IF limits IS NOT NULL THEN
    UPDATE spend_limit l SET held = l.held - d.amount, spent = l.spent + d.charged
      FROM (SELECT h.limit_id AS id, sum(h.amount) AS amount, sum(u.charged) AS charged
        FROM unnest(p_id, r_charged, r_outcome) AS u (id, charged, outcome)
        JOIN LATERAL (SELECT * FROM hold WHERE hold.id = u.id) h ON true
        WHERE u.outcome = 'done' AND h.limit_id IS NOT NULL GROUP BY h.limit_id) d WHERE l.id = d.id;
  END IF;
  UPDATE "key" k SET held = k.held - d.amount, spent = k.spent + d.charged
    FROM (SELECT h.key_id AS id, sum(h.amount) AS amount, sum(u.charged) AS charged
      FROM unnest(p_id, r_charged, r_outcome) AS u (id, charged, outcome)
      JOIN LATERAL (SELECT * FROM hold WHERE hold.id = u.id) h ON true
      WHERE u.outcome = 'done' AND h.key_id IS NOT NULL GROUP BY h.key_id) d WHERE k.id = d.id;
  UPDATE account a SET held = a.held - d.amount, available = a.available + d.amount - d.charged
    FROM (SELECT h.owner_id AS id, sum(h.amount) AS amount, sum(u.charged) AS charged
      FROM unnest(p_id, r_charged, r_outcome) AS u (id, charged, outcome)
      JOIN LATERAL (SELECT * FROM hold WHERE hold.id = u.id) h ON true
      WHERE u.outcome = 'done' GROUP BY h.owner_id) d WHERE a.owner_id = d.id;
  IF keeps THEN
    -- A metered call whose credits ran out keeps no result: its repeat is the same 402.
    UPDATE idempotency i SET status = CASE WHEN u.dry THEN 402 ELSE u.reply_status END,
      answer = CASE WHEN u.dry THEN NULL ELSE u.reply_answer END, charged = u.charged, created_at = now()
      FROM (SELECT v.*, v.extend AND v.actual > v.charged AND v.reply_status < 400 AS dry
        FROM unnest(p_id, p_actual, p_extend, r_charged, r_outcome, p_reply_status, p_reply_answer)
        AS v (id, actual, extend, charged, outcome, reply_status, reply_answer)) u
      WHERE i.hold_id = u.id AND u.outcome = 'done' AND u.reply_status IS NOT NULL;
    DELETE FROM idempotency i WHERE i.hold_id = ANY (p_id) AND i.status IS NULL;
  END IF;
  DELETE FROM hold h USING unnest(p_id, r_outcome) AS u (id, outcome) WHERE h.id = u.id AND u.outcome = 'done';
END $$;

-- Says that a process lives, so that its holds stand.
CREATE FUNCTION credits_renew(p_holder uuid) RETURNS void LANGUAGE sql AS $$
  INSERT INTO holder (id, lease_until) VALUES (p_holder, now() + interval '45 seconds')
    ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until;
$$;

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
  reset_s := greatest(1, ceil(extract(epoch FROM w.started_at - clock_timestamp()) + p_seconds));
  UPDATE rate_window SET started_at = w.started_at, count = w.count + allowed::int WHERE id = p_id;
END $$;

-- Authenticates requests by the hash of their key and counts them in the key's minute, which starts with its first
-- request. Equal hashes share one lookup and one write. States: unknown | revoked | expired | limited | ok
CREATE FUNCTION keys_admit(p_hash bytea[])
RETURNS TABLE (n int, state text, key_id int, owner_id int, rpm int, remaining int, reset_s int)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE g record; w record; granted int; at timestamptz := clock_timestamp(); spot int;
BEGIN
  FOR g IN
    SELECT k.id, k.owner_id AS owner, k.rpm AS per_minute, k.last_used_at, u.ns,
      CASE WHEN k.id IS NULL THEN 'unknown' WHEN k.revoked_at IS NOT NULL THEN 'revoked'
        WHEN k.expires_at <= at OR s.expires_at <= at THEN 'expired' ELSE 'ok' END AS verdict
    FROM (SELECT i.hash, array_agg(i.n ORDER BY i.n) AS ns FROM unnest(p_hash) WITH ORDINALITY AS i (hash, n) GROUP BY i.hash) u
    LEFT JOIN LATERAL (SELECT * FROM key_secret WHERE key_secret.hash = u.hash) s ON true
    LEFT JOIN LATERAL (SELECT * FROM "key" WHERE "key".id = s.key_id) k ON true
    ORDER BY k.id
  LOOP
    key_id := g.id; owner_id := g.owner; rpm := g.per_minute;
    granted := 0; w := NULL;
    IF g.verdict = 'ok' THEN
      INSERT INTO rate_window (id, started_at, count) VALUES ('key:' || g.id, at, 0) ON CONFLICT (id) DO NOTHING;
      SELECT r.started_at, r.count INTO w FROM rate_window r WHERE r.id = 'key:' || g.id FOR UPDATE;
      IF w.started_at <= at - interval '60 seconds' THEN w.started_at := at; w.count := 0; END IF;
      granted := least(cardinality(g.ns), greatest(g.per_minute - w.count, 0));
      UPDATE rate_window r SET started_at = w.started_at, count = w.count + granted WHERE r.id = 'key:' || g.id;
      reset_s := greatest(1, ceil(extract(epoch FROM w.started_at - at) + 60));
      IF g.last_used_at IS NULL OR g.last_used_at < at - interval '1 minute' THEN
        UPDATE "key" SET last_used_at = at WHERE id = g.id;
      END IF;
    END IF;
    FOR spot IN 1..cardinality(g.ns) LOOP
      n := g.ns[spot];
      state := CASE WHEN g.verdict <> 'ok' THEN g.verdict WHEN spot <= granted THEN 'ok' ELSE 'limited' END;
      remaining := CASE WHEN g.verdict = 'ok' THEN greatest(g.per_minute - w.count - spot, 0) END;
      RETURN NEXT;
    END LOOP;
  END LOOP;
END $$;

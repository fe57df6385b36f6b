-- AlterTable
ALTER TABLE "account" ADD COLUMN     "calls" INTEGER NOT NULL DEFAULT 0;

UPDATE account a SET calls = h.calls
  FROM (SELECT owner_id, count(*) AS calls FROM hold WHERE door <> 'agent' GROUP BY owner_id) h WHERE h.owner_id = a.owner_id;

-- CreateTable
CREATE UNLOGGED TABLE "key_use" (
    "key_id" INTEGER NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "key_use_pkey" PRIMARY KEY ("key_id")
);

INSERT INTO key_use (key_id, used_at) SELECT id, last_used_at FROM "key" WHERE last_used_at IS NOT NULL;

-- AlterTable
ALTER TABLE "key" DROP COLUMN "last_used_at";

-- A hold that ends, whichever way, is a call that is no longer in progress. Its owner's account is locked already.
CREATE FUNCTION hold_ended() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  UPDATE account a SET calls = greatest(0, a.calls - e.calls)
    FROM (SELECT d.owner_id, count(*)::int AS calls FROM ended d WHERE d.door <> 'agent' GROUP BY d.owner_id) e
    WHERE a.owner_id = e.owner_id;
  RETURN NULL;
END $$;
CREATE TRIGGER hold_ended AFTER DELETE ON hold REFERENCING OLD TABLE AS ended
  FOR EACH STATEMENT EXECUTE FUNCTION hold_ended();

DROP FUNCTION credits_reserve(uuid, uuid[], int[], int[], uuid[], bigint[], bigint[], bigint[], text[], text[], text[], text[], bytea[]);

-- Takes a hold per item, each for as much as its limits allow between `least` and `most`, leaving `spare` free.
-- Outcomes: held | again (this hold stands already) | settled (it was settled; amount = its charge)
--           | key_gone | balance | key_budget | conversation (refused: which limit)
--           | busy (the owner has `p_max_calls` in progress; steps of agent runs neither count nor are refused)
--           | replay (reply_* hold the stored answer) | in_flight | mismatch (the idempotency token)
-- Locked rows are read once into arrays, counted down item by item, and written once: the cost of a call hardly
-- grows with its items.
CREATE FUNCTION credits_reserve(
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
          outcome := CASE free WHEN key_free[k] THEN 'key_budget' WHEN coalesce(balance[o], 0) THEN 'balance' ELSE 'conversation' END;
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

DROP FUNCTION keys_admit(bytea[]);

-- Locks a minute's counter and returns what it counted before and when it began: 0 and `p_at` for a new or past one.
CREATE FUNCTION rate_open(p_slot text, p_at timestamptz, OUT used int, OUT began timestamptz) LANGUAGE plpgsql AS $$
BEGIN
  LOOP
    SELECT r.count, r.started_at INTO used, began FROM rate_window r WHERE r.id = p_slot FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO rate_window (id, started_at, count) VALUES (p_slot, p_at, 0) ON CONFLICT (id) DO NOTHING;
  END LOOP;
  IF began <= p_at - interval '60 seconds' THEN
    used := 0; began := p_at;
  END IF;
END $$;

-- Authenticates requests by the hash of their key and counts them in the key's minute and, with `p_owner_rpm`, in the
-- owner's, over all keys; each starts with its first request. `rpm`, `remaining` and `reset_s` are those of the window
-- that leaves less. Equal hashes share one lookup and one write. No lock on a key or an account is taken or waited for.
-- States: unknown | revoked | expired | limited | owner_limited | ok
CREATE FUNCTION keys_admit(p_hash bytea[], p_owner_rpm int DEFAULT NULL)
RETURNS TABLE (n int, state text, key_id int, owner_id int, rpm int, remaining int, reset_s int)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  g record; at timestamptz := clock_timestamp(); spot int;
  key_window record; owner_window record;
  free int; owner_free int; by_owner boolean; granted int;
BEGIN
  -- The order of the locks: by owner, the owner's window first, then those of its keys.
  FOR g IN
    SELECT k.id, k.owner_id AS owner, k.rpm AS per_minute, l.used_at, u.ns, cardinality(u.ns) AS wanted,
      CASE WHEN k.id IS NULL THEN 'unknown' WHEN k.revoked_at IS NOT NULL THEN 'revoked'
        WHEN k.expires_at <= at OR s.expires_at <= at THEN 'expired' ELSE 'ok' END AS verdict
    FROM (SELECT i.hash, array_agg(i.n ORDER BY i.n) AS ns FROM unnest(p_hash) WITH ORDINALITY AS i (hash, n) GROUP BY i.hash) u
    LEFT JOIN LATERAL (SELECT * FROM key_secret WHERE key_secret.hash = u.hash) s ON true
    LEFT JOIN LATERAL (SELECT * FROM "key" WHERE "key".id = s.key_id) k ON true
    LEFT JOIN LATERAL (SELECT * FROM key_use WHERE key_use.key_id = k.id) l ON true
    ORDER BY k.owner_id, k.id
  LOOP
    key_id := g.id; owner_id := g.owner; rpm := g.per_minute; reset_s := NULL; granted := 0; free := NULL;
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

-- Throws where this database cannot serve although it answers: read-only (after a failover), no room for a file, or a
-- log that cannot be flushed. The sort is too large for its memory and goes through a file; nothing is kept.
CREATE FUNCTION database_ready() RETURNS void LANGUAGE plpgsql SET work_mem = '64kB' AS $$
DECLARE rows int;
BEGIN
  IF pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean THEN
    RAISE EXCEPTION 'the database is read-only' USING ERRCODE = 'read_only_sql_transaction';
  END IF;
  SELECT count(*) INTO rows FROM (SELECT i FROM generate_series(1, 5000) i ORDER BY md5(i::text) OFFSET 1) sorted;
  PERFORM pg_logical_emit_message(true, 'tollgate', 'ready?');
END $$;

-- A charge that a caller never heard of is taken back: a second ledger row of the same hold, positive.
DROP INDEX ledger_hold_id_key;
CREATE UNIQUE INDEX ledger_charge_key ON ledger (hold_id) WHERE amount < 0;
CREATE UNIQUE INDEX ledger_refund_key ON ledger (hold_id) WHERE amount > 0;

-- CreateTable
CREATE TABLE "settlement_dead" (
    "id" UUID NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "request" JSONB NOT NULL,
    "error" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "settlement_dead_pkey" PRIMARY KEY ("id")
);

-- When any process last reached the database, and since when without a gap. Unlogged: a crash is a gap.
CREATE UNLOGGED TABLE "credits_clock" (
    "id" INTEGER NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "up_since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "credits_clock_pkey" PRIMARY KEY ("id")
);

-- Notes that the database is reachable now. Returns since when it has been without a gap of 20 s: processes renew
-- every 10 s, so a longer one means that the database was away, not that every process died.
CREATE FUNCTION credits_tick() RETURNS timestamptz LANGUAGE sql AS $$
  INSERT INTO credits_clock AS c (id, seen_at, up_since) VALUES (1, clock_timestamp(), clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET seen_at = greatest(c.seen_at, excluded.seen_at),
      up_since = CASE WHEN c.seen_at < excluded.seen_at - interval '20 seconds' THEN excluded.seen_at ELSE c.up_since END
    RETURNING c.up_since;
$$;

-- Says that a process lives, so that its holds stay.
CREATE OR REPLACE FUNCTION credits_renew(p_holder uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO holder (id, lease_until) VALUES (p_holder, clock_timestamp() + interval '45 seconds')
    ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until;
  PERFORM credits_tick();
END $$;

-- Ends holds: each charges its `actual`, clamped to the hold, or, where `extend` is set, to the hold and what is
-- still free under every limit. Writes ledger and receipt, and keeps the answer of idempotent calls.
-- Outcomes: done | again (settled before: the first charge) | expired (it was swept: charged 0) | unknown (no such hold)
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

-- Holds whose process is dead: its lease has ended, and the database has been reachable for long enough since that a
-- living process would have renewed. Leases are compared with the start of the statement, so that a server frozen in
-- the middle of one does not take everybody for dead.
CREATE FUNCTION credits_dead_holds(p_max int, p_skip uuid[]) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
BEGIN
  IF credits_tick() > now() - interval '25 seconds' THEN RETURN; END IF;
  RETURN QUERY SELECT h.id FROM hold h LEFT JOIN holder p ON p.id = h.holder_id
    WHERE (p.id IS NULL OR p.lease_until < now()) AND h.id <> ALL (p_skip) ORDER BY h.id LIMIT p_max;
END $$;

-- Voids up to `p_max` holds whose process is dead, but for `p_skip`. Returns how many, and the credits they held.
DROP FUNCTION credits_sweep();
CREATE FUNCTION credits_sweep(p_max int, p_skip uuid[]) RETURNS TABLE (swept int, credits bigint) LANGUAGE plpgsql AS $$
DECLARE ids uuid[];
BEGIN
  SELECT array_agg(d) INTO ids FROM credits_dead_holds(p_max, p_skip) d;
  swept := 0; credits := 0;
  IF ids IS NOT NULL THEN
    SELECT count(*), coalesce(sum(s.held), 0) INTO swept, credits FROM credits_settle(
      ids, array_fill(0::bigint, ARRAY[cardinality(ids)]), array_fill(false, ARRAY[cardinality(ids)]),
      array_fill('expired'::text, ARRAY[cardinality(ids)]), array_fill(NULL::jsonb, ARRAY[cardinality(ids)]),
      array_fill(NULL::int, ARRAY[cardinality(ids)]), array_fill(NULL::text, ARRAY[cardinality(ids)])) s
      WHERE s.outcome = 'done';
  END IF;
  RETURN NEXT;
END $$;

-- Forgets processes that are long dead and hold nothing.
CREATE FUNCTION credits_forget_holders() RETURNS void LANGUAGE sql AS $$
  DELETE FROM holder p WHERE p.lease_until < now() - interval '1 hour'
    AND NOT EXISTS (SELECT 1 FROM hold h WHERE h.holder_id = p.id);
$$;

-- Takes a call's charge back, once: a positive ledger row, the receipt at 0 with `p_status`. Returns what was given
-- back: 0 when nothing was charged, or when it was given back before.
CREATE FUNCTION credits_refund(p_id uuid, p_status text, p_note text) RETURNS bigint LANGUAGE plpgsql AS $$
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
  UPDATE "key" y SET spent = y.spent - r.charged WHERE y.id = r.key_id;
  UPDATE account a SET available = a.available + r.charged WHERE a.owner_id = r.owner_id;
  DELETE FROM idempotency i WHERE i.hold_id = p_id;
  RETURN r.charged;
END $$;

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

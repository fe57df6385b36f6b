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

-- What the calls of one process ask of the ledger at one moment, in one transaction: authenticates
-- and counts requests, ends holds, then takes holds. `settled`, `state` or `outcome` is set: it
-- says which part a row is of. Arrays of which nothing is set may be empty.
--
-- `state`: as `keys_authenticate` says.
-- `settled`, of `p_ended`: a hold is charged its `actual`, clamped to the hold, or, where `extend`
--   is set, to the hold and what is still free under every limit; then `limited` is the limit that
--   left less. Ledger and receipt are written, and the response of an idempotent call is stored,
--   unless it failed and cost nothing: then its token is free again.
--   done | again (settled before: the first charge) | expired (it was swept: charged 0)
--   | unknown (no such hold)
-- `outcome`, of `p_id`: a hold is taken for as much as its limits allow between `p_least` and
--   `p_most`, so that `p_remaining` credits remain. With `p_after` it is taken only if the request
--   with that number was let in and its key's grants are of the version `p_version`, which the
--   process has checked; else it has no row.
--   Without a product it raises the hold that exists to between `p_least` and `p_most`: again, with
--   what it is now, which is less than `p_least` where it could not be.
--   held | again (the hold exists) | settled (it was settled; amount = its charge)
--   | key_gone | balance | key_budget | key_period | account_day | conversation (refused: which
--     limit; `held` is what other calls hold under it, where without that the credits would be
--     enough)
--   | suspended (the owner's account; reply_answer says why)
--   | busy (the owner has `amount` calls in progress: the account's own limit, else `p_max_calls`;
--     steps of agent runs neither count nor are refused)
--   | replay (reply_* are the stored response) | in_flight | mismatch (the idempotency token)
--   `reason` is 'full' where a hold with a token was taken and the responses that its owner stored
--   within 24 hours have reached 4 GiB. One batch replays at most 16 MiB beyond the first response:
--   the others are in_flight, for their callers to repeat.
--
-- Locked rows are read once into arrays, counted item by item, and written once: the cost of a
-- batch is mostly that of its statements, aggregates and expressions, each of which is prepared
-- once per batch. So an `unnest` of ten arrays costs more than ten subscripts, and what few batches
-- need (spend limits, windows, days, repeated ids) is behind a condition. Rows are found by index,
-- never by reading a table: a plan that was made while one was small is kept. The order of the
-- locks: rate windows, spend limits, keys, accounts. A hold is only ever ended under the lock of
-- its owner's account, so holds themselves need none.
CREATE OR REPLACE FUNCTION credits_batch(
  p_hash bytea[], p_owner_rpm int,
  p_ended uuid[], p_actual bigint[], p_extend boolean[], p_status text[], p_detail jsonb[], p_reply_status int[],
  p_reply_answer text[],
  p_holder uuid, p_id uuid[], p_owner int[], p_key int[], p_limit uuid[], p_least bigint[], p_most bigint[], p_remaining bigint[],
  p_channel text[], p_product text[], p_what text[], p_token text[], p_body bytea[], p_max_calls int,
  p_after int[], p_version int[]
) RETURNS TABLE (
  n int, settled text, state text, outcome text, amount bigint, held bigint, limited text,
  reply_status int, reply_answer text, reply_charged bigint,
  key_id int, owner_id int, rpm int, remaining int, reset_s int, grants_version int, reason text
) LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off SET enable_material = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  let_in int[];
  s_outcome text[]; s_charged bigint[]; s_limited text[];
  r_outcome text[]; r_amount bigint[];
  limits uuid[]; limit_owner int[]; limit_free bigint[]; limit_held bigint[]; limit_spent bigint[];
  keys int[]; key_owner int[]; key_valid boolean[]; key_free bigint[]; key_held bigint[]; key_spent bigint[];
  window_start timestamptz[]; window_end timestamptz[]; window_free bigint[]; window_held bigint[]; window_spent bigint[];
  owners int[]; suspended text[]; chains bytea[]; balance bigint[]; calls int[]; owner_held bigint[]; owner_calls int[];
  max_calls int[]; day_from timestamptz[]; today_free bigint[]; today_held bigint[]; today_spent bigint[];
  ended uuid[]; ended_amount bigint[]; ended_owner int[]; ended_key int[]; ended_limit uuid[]; ended_at timestamptz[];
  ended_channel text[];
  at timestamptz; done_at timestamptz; today timestamptz; call_token text;
  has_limits boolean; has_windows boolean; has_days boolean; in_window boolean; in_day boolean; keeps boolean; is_repeated boolean; is_call boolean;
  is_raised boolean := false;
  item record; stored record;
  first_n int; h int; k int; o int; l int; free bigint; replayed bigint := 0;
BEGIN
  IF p_hash <> '{}' THEN
    FOR n, state, key_id, owner_id, rpm, remaining, reset_s, grants_version, reason IN
      SELECT * FROM keys_authenticate(p_hash, p_owner_rpm)
    LOOP
      IF state = 'ok' THEN let_in[n] := grants_version; END IF;
      RETURN NEXT;
    END LOOP;
    state := NULL; key_id := NULL; owner_id := NULL; rpm := NULL; remaining := NULL; reset_s := NULL;
    grants_version := NULL; reason := NULL;
  END IF;

  -- What is locked: the rows of holds to end, and those of holds to take.
  IF p_ended <> '{}' THEN
    SELECT array_agg(h.limit_id) FILTER (WHERE h.limit_id IS NOT NULL), array_agg(h.key_id), array_agg(h.owner_id)
      INTO limits, keys, owners FROM hold h WHERE h.id = ANY (p_ended);
  END IF;
  IF p_id <> '{}' THEN
    IF NOT EXISTS (SELECT 1 FROM holder h WHERE h.id = p_holder AND h.lease_until > now() + interval '30 seconds') THEN
      PERFORM credits_renew(p_holder);
    END IF;
    limits := array_remove(p_limit, NULL) || limits; keys := p_key || keys; owners := p_owner || owners;
  END IF;
  has_limits := limits <> '{}';
  IF has_limits THEN
    SELECT array_agg(x.id), array_agg(x.owner_id), array_agg(x.free), array_agg(0::bigint), array_agg(0::bigint)
      INTO limits, limit_owner, limit_free, limit_held, limit_spent FROM (
        SELECT s.id, s.owner_id, s.cap - s.spent - s.held AS free FROM spend_limit s WHERE s.id = ANY (limits)
        ORDER BY s.id FOR NO KEY UPDATE) x;
  END IF;
  SELECT array_agg(x.id), array_agg(x.owner_id), array_agg(x.valid), array_agg(x.free), bool_or(x.has_window)
    INTO keys, key_owner, key_valid, key_free, has_windows FROM (
      SELECT y.id, y.owner_id, y.revoked_at IS NULL AND (y.expires_at IS NULL OR y.expires_at > now()) AS valid,
        y.budget - y.spent - y.held AS free, y.period_budget IS NOT NULL AS has_window
      FROM "key" y WHERE y.id = ANY (keys) ORDER BY y.id FOR NO KEY UPDATE) x;
  key_held := array_fill(0::bigint, ARRAY[coalesce(cardinality(keys), 0)]); key_spent := key_held;
  SELECT array_agg(x.owner_id), array_agg(x.suspended_for), array_agg(x.available), array_agg(x.calls), array_agg(x.chain),
      array_agg(x.max_calls), bool_or(x.has_day)
    INTO owners, suspended, balance, calls, chains, max_calls, has_days FROM (
      SELECT a.owner_id, a.suspended_for, a.available, a.calls, a.chain, coalesce(a.max_calls, p_max_calls) AS max_calls,
        a.day_credits IS NOT NULL AS has_day
      FROM account a WHERE a.owner_id = ANY (owners) ORDER BY a.owner_id FOR NO KEY UPDATE) x;
  owner_held := array_fill(0::bigint, ARRAY[coalesce(cardinality(owners), 0)]); owner_calls := owner_held;
  -- When the holds are taken, which says in which window of their key, and on which day of their
  -- account, they count: read under the locks, in the precision that is stored, and never before a
  -- window that has begun.
  at := date_trunc('milliseconds', clock_timestamp());
  IF has_windows THEN
    SELECT array_agg(x.period_start), array_agg(x.period_end), array_agg(x.free), greatest(at, max(x.period_start))
      INTO window_start, window_end, window_free, at FROM (
        SELECT y.period_start, y.period_end, y.period_budget - y.period_spent - y.period_held AS free
        FROM "key" y WHERE y.id = ANY (keys) ORDER BY y.id) x;
    window_held := key_held; window_spent := key_held;
  END IF;
  IF has_days THEN
    -- Of UTC, which no owner can move. A day that is over is left behind by whoever comes first.
    today := date_trunc('day', at, 'UTC');
    SELECT array_agg(x.day_from), array_agg(x.free), greatest(at, max(x.day_from)) INTO day_from, today_free, at FROM (
        SELECT greatest(a.day_start, today) AS day_from,
          a.day_credits - CASE WHEN a.day_start >= today THEN a.day_spent + a.day_held ELSE 0 END AS free
        FROM account a WHERE a.owner_id = ANY (owners) ORDER BY a.owner_id) x;
    today_held := owner_held; today_spent := owner_held;
  END IF;

  IF p_ended <> '{}' THEN
    SELECT array_agg(y.id), array_agg(y.amount), array_agg(y.owner_id), array_agg(y.key_id), array_agg(y.limit_id),
        array_agg(y.created_at), array_agg(y.channel), bool_or(y.keeps_answer)
      INTO ended, ended_amount, ended_owner, ended_key, ended_limit, ended_at, ended_channel, keeps
      FROM hold y WHERE y.id = ANY (p_ended);
    -- A receipt has the time by which its window was chosen.
    done_at := CASE WHEN has_windows OR has_days THEN at ELSE date_trunc('milliseconds', clock_timestamp()) END;

    IF at >= ANY (window_end) AND true = ANY (p_extend) THEN
      FOR item IN SELECT b.* FROM credits_begin_period(keys, at) b LOOP
        k := array_position(keys, item.key_id); window_free[k] := item.free; window_start[k] := at;
      END LOOP;
    END IF;
    FOR i IN 1..cardinality(p_ended) LOOP
      n := i; limited := NULL;
      h := array_position(ended, p_ended[i]); held := coalesce(ended_amount[h], 0);
      first_n := array_position(p_ended, p_ended[i]);

      IF first_n < i THEN
        settled := CASE s_outcome[first_n] WHEN 'done' THEN 'again' ELSE s_outcome[first_n] END;
        amount := s_charged[first_n];
      ELSIF h IS NULL THEN
        SELECT c.status, c.charged, c.held INTO stored FROM receipt c WHERE c.id = p_ended[i];
        settled := CASE WHEN NOT FOUND THEN 'unknown' WHEN stored.status = 'expired' THEN 'expired' ELSE 'again' END;
        amount := coalesce(stored.charged, 0); held := coalesce(stored.held, 0);
      ELSE
        k := array_position(keys, ended_key[h]);
        o := array_position(owners, ended_owner[h]);
        IF has_limits THEN l := array_position(limits, ended_limit[h]); END IF;
        IF o IS NULL OR (k IS NULL AND ended_key[h] IS NOT NULL) OR (l IS NULL AND ended_limit[h] IS NOT NULL) THEN
          -- The hold appeared after the rows were locked: start again, with its rows too.
          RAISE EXCEPTION 'a hold appeared' USING ERRCODE = 'serialization_failure';
        END IF;
        -- A call counts in the window of its key in which its hold was taken, also after its end;
        -- only what it cost beyond its hold counts where it is taken.
        IF has_windows THEN in_window := coalesce(ended_at[h] >= window_start[k], false); END IF;
        IF has_days THEN in_day := coalesce(ended_at[h] >= day_from[o], false); END IF;
        amount := greatest(0, least(p_actual[i], held));
        IF p_extend[i] AND p_actual[i] > held THEN
          -- In the window that is now: the one of its hold may have ended.
          free := least(balance[o], key_free[k], limit_free[l], window_free[k],
            CASE WHEN today_free[o] < 0 THEN 0 ELSE today_free[o] END);
          amount := least(p_actual[i], held + free);
          IF amount < p_actual[i] THEN
            limited := CASE free WHEN limit_free[l] THEN 'conversation' WHEN key_free[k] THEN 'key_budget'
              WHEN balance[o] THEN 'balance' WHEN window_free[k] THEN 'key_period' ELSE 'account_day' END;
          END IF;
        END IF;
        settled := 'done';
        IF amount > 0 THEN chains[o] := ledger_link(chains[o], owners[o], done_at, -amount, p_ended[i], ended_key[h], NULL); END IF;
        balance[o] := balance[o] + held - amount; owner_held[o] := owner_held[o] - held;
        IF ended_channel[h] <> 'agent' THEN owner_calls[o] := owner_calls[o] - 1; END IF;
        IF k IS NOT NULL THEN
          key_free[k] := key_free[k] + held - amount;
          key_held[k] := key_held[k] - held; key_spent[k] := key_spent[k] + amount;
          IF in_window THEN
            window_free[k] := window_free[k] + held - amount;
            window_held[k] := window_held[k] - held; window_spent[k] := window_spent[k] + amount;
          ELSIF has_windows AND window_free[k] IS NOT NULL AND amount > held THEN
            window_free[k] := window_free[k] + held - amount; window_spent[k] := window_spent[k] + amount - held;
          END IF;
        END IF;
        IF in_day THEN
          today_free[o] := today_free[o] + held - amount; today_held[o] := today_held[o] - held; today_spent[o] := today_spent[o] + amount;
        ELSIF has_days AND amount > held THEN
          today_free[o] := today_free[o] + held - amount; today_spent[o] := today_spent[o] + amount - held;
        END IF;
        IF l IS NOT NULL THEN
          limit_free[l] := limit_free[l] + held - amount;
          limit_held[l] := limit_held[l] - held; limit_spent[l] := limit_spent[l] + amount;
        END IF;
      END IF;
      s_outcome[i] := settled; s_charged[i] := amount;
      IF keeps THEN s_limited[i] := limited; END IF;
      RETURN NEXT;
    END LOOP;
    settled := NULL; held := NULL; limited := NULL;

    IF ended IS NOT NULL THEN
      WITH gone AS (
        DELETE FROM hold y WHERE y.id = ANY (ended) RETURNING y.*, array_position(p_ended, y.id) AS n
      ), receipts AS (
        INSERT INTO receipt (id, at, started_at, held, charged, limit_id, owner_id, key_id, status, channel, product, what, detail, seal)
        SELECT g.id, done_at, g.created_at, g.amount, s_charged[g.n], g.limit_id, g.owner_id, g.key_id, p_status[g.n],
          g.channel, g.product, g.what, p_detail[g.n], receipt_seal(g.id, done_at, g.created_at, g.amount, s_charged[g.n], g.limit_id,
          g.owner_id, g.key_id, p_status[g.n], g.channel, g.product, g.what, p_detail[g.n]) FROM gone g
      )
      -- In the order in which they were chained.
      INSERT INTO ledger (at, amount, hold_id, owner_id, key_id)
        SELECT done_at, -s_charged[g.n], g.id, g.owner_id, g.key_id FROM gone g WHERE s_charged[g.n] > 0 ORDER BY g.n;
    END IF;
    IF keeps THEN
      -- A metered call that exhausted the credits stores only the limit: its repeat is the same
      -- 402.
      WITH stored AS (
        UPDATE idempotency i SET status = CASE WHEN u.dry THEN 402 ELSE u.reply_status END,
          answer = CASE WHEN u.dry THEN u.limited ELSE u.reply_answer END, charged = u.charged, created_at = now(),
          seal = response_seal(i.hold_id, i.body_hash, CASE WHEN u.dry THEN 402 ELSE u.reply_status END,
            CASE WHEN u.dry THEN u.limited ELSE u.reply_answer END, u.charged)
          FROM (SELECT v.*, v.limited IS NOT NULL AND v.reply_status < 400 AS dry
            FROM unnest(p_ended, s_charged, s_outcome, s_limited, p_status, p_reply_status, p_reply_answer)
            AS v (id, charged, outcome, limited, status, reply_status, reply_answer)) u
          WHERE i.hold_id = u.id AND u.outcome = 'done' AND u.reply_status IS NOT NULL
            AND (u.charged > 0 OR u.status = 'ok')
          RETURNING i.hold_id, octet_length(i.answer) AS bytes
      )
      INSERT INTO idempotency_hour AS y (owner_id, hour, bytes)
        SELECT ended_owner[array_position(ended, s.hold_id)], date_trunc('hour', now()), sum(s.bytes) FROM stored s GROUP BY 1
        ON CONFLICT ON CONSTRAINT idempotency_hour_pkey DO UPDATE SET bytes = y.bytes + excluded.bytes;
      DELETE FROM idempotency i WHERE i.hold_id = ANY (p_ended) AND i.status IS NULL;
    END IF;
  END IF;

  IF p_id <> '{}' THEN
    IF at >= ANY (window_end) THEN
      FOR item IN SELECT b.* FROM credits_begin_period(p_key, at) b LOOP
        k := array_position(keys, item.key_id);
        window_free[k] := item.free; window_held[k] := 0; window_spent[k] := 0;
      END LOOP;
    END IF;

    is_repeated := EXISTS (SELECT 1 FROM hold y WHERE y.id = ANY (p_id)) OR EXISTS (SELECT 1 FROM receipt c WHERE c.id = ANY (p_id));
    FOR i IN 1..cardinality(p_id) LOOP
      CONTINUE WHEN let_in[p_after[i]] IS DISTINCT FROM p_version[i];
      n := i; outcome := NULL; amount := 0; held := NULL;
      IF reply_status IS NOT NULL OR reply_answer IS NOT NULL THEN
        reply_status := NULL; reply_answer := NULL; reply_charged := NULL;
      END IF;
      first_n := array_position(p_id, p_id[i]);
      k := array_position(keys, p_key[i]);
      o := array_position(owners, p_owner[i]);
      IF has_limits THEN
        l := array_position(limits, p_limit[i]);
        IF limit_owner[l] <> p_owner[i] THEN l := NULL; END IF;
      END IF;
      call_token := p_token[i]; is_call := p_channel[i] <> 'agent';
      IF is_repeated THEN
        SELECT x.outcome, x.amount, x.at INTO stored FROM (
          SELECT 'again' AS outcome, y.amount, y.created_at AS at FROM hold y WHERE y.id = p_id[i]
          UNION ALL SELECT 'settled', c.charged, c.started_at FROM receipt c WHERE c.id = p_id[i]) x;
        outcome := stored.outcome; amount := coalesce(stored.amount, 0);
      END IF;

      IF first_n < i THEN
        outcome := CASE r_outcome[first_n] WHEN 'held' THEN 'again' ELSE r_outcome[first_n] END;
        amount := coalesce(r_amount[first_n], 0);
      ELSIF p_product[i] IS NULL THEN
        -- Counted where the hold is: not in a window that began after it.
        IF has_windows THEN in_window := coalesce(stored.at >= window_start[k], false); END IF;
        IF has_days THEN in_day := coalesce(stored.at >= day_from[o], false); END IF;
        free := least(balance[o], key_free[k], limit_free[l], CASE WHEN in_window THEN window_free[k] END,
          CASE WHEN in_day THEN today_free[o] END);
        IF outcome IS NULL THEN
          outcome := 'again';
        ELSIF outcome = 'again' AND amount < p_least[i] AND amount + free >= p_least[i] + p_remaining[i] THEN
          free := least(p_most[i] - amount, free - p_remaining[i]); amount := amount + free;
          UPDATE hold y SET amount = credits_batch.amount WHERE y.id = p_id[i];
          is_raised := true;
          balance[o] := balance[o] - free; owner_held[o] := owner_held[o] + free;
          IF k IS NOT NULL THEN
            key_free[k] := key_free[k] - free; key_held[k] := key_held[k] + free;
            IF in_window THEN window_free[k] := window_free[k] - free; window_held[k] := window_held[k] + free; END IF;
          END IF;
          IF in_day THEN today_free[o] := today_free[o] - free; today_held[o] := today_held[o] + free; END IF;
          IF l IS NOT NULL THEN limit_free[l] := limit_free[l] - free; limit_held[l] := limit_held[l] + free; END IF;
        END IF;
      ELSIF outcome IS NOT NULL THEN
        NULL;
      ELSIF p_key[i] IS NOT NULL AND (key_valid[k] AND key_owner[k] = p_owner[i]) IS NOT TRUE THEN
        outcome := 'key_gone';
      ELSIF suspended[o] IS NOT NULL THEN
        outcome := 'suspended'; reply_answer := suspended[o];
      ELSE
        IF call_token IS NOT NULL THEN
          SELECT y.* INTO stored FROM idempotency y WHERE y.key_id = p_key[i] AND y.token = call_token;
          IF FOUND AND stored.status IS NOT NULL AND stored.created_at < now() - interval '24 hours' THEN
            DELETE FROM idempotency y WHERE y.key_id = p_key[i] AND y.token = call_token;
          ELSIF FOUND THEN
            outcome := CASE WHEN stored.body_hash <> p_body[i] THEN 'mismatch'
              WHEN stored.status IS NULL THEN 'in_flight' ELSE 'replay' END;
            IF outcome = 'replay' AND replayed > 16777216 THEN
              outcome := 'in_flight';
            ELSIF outcome = 'replay' THEN
              replayed := replayed + octet_length(stored.answer);
              reply_status := stored.status; reply_answer := stored.answer; reply_charged := stored.charged;
            END IF;
          END IF;
        END IF;
        IF outcome IS NULL AND is_call AND calls[o] + owner_calls[o] >= max_calls[o] THEN
          outcome := 'busy'; amount := max_calls[o];
        ELSIF outcome IS NULL THEN
          free := least(coalesce(balance[o], 0), key_free[k], window_free[k], today_free[o]);
          IF has_limits THEN
            free := least(free, CASE WHEN p_limit[i] IS NOT NULL THEN coalesce(limit_free[l], 0) END);
          END IF;
          IF free < p_least[i] + p_remaining[i] THEN
            -- One that is spent first, else the one that leaves least: what is held comes back.
            SELECT c.source, c.free, CASE WHEN NOT c.is_spent THEN c.held END AS held INTO item FROM (
              SELECT x.*, x.free + coalesce(x.held, 0) < p_least[i] + p_remaining[i] AS is_spent FROM (VALUES
                ('conversation', CASE WHEN p_limit[i] IS NOT NULL THEN coalesce(limit_free[l], 0) END,
                  limit_held[l] + (SELECT s.held FROM spend_limit s WHERE s.id = p_limit[i])),
                ('key_budget', key_free[k], key_held[k] + (SELECT y.held FROM "key" y WHERE y.id = p_key[i])),
                ('key_period', window_free[k], window_held[k] + (SELECT y.period_held FROM "key" y WHERE y.id = p_key[i])),
                ('account_day', today_free[o], today_held[o] + (SELECT CASE WHEN a.day_start >= today THEN a.day_held ELSE 0 END
                  FROM account a WHERE a.owner_id = p_owner[i])),
                ('balance', coalesce(balance[o], 0), owner_held[o] + (SELECT a.held FROM account a WHERE a.owner_id = p_owner[i]))
              ) AS x (source, free, held) WHERE x.free < p_least[i] + p_remaining[i]) c
            ORDER BY c.is_spent DESC, c.free LIMIT 1;
            outcome := item.source; amount := item.free; held := item.held;
          ELSE
            outcome := 'held'; amount := least(p_most[i], free - p_remaining[i]);
            IF o IS NOT NULL THEN
              balance[o] := balance[o] - amount; owner_held[o] := owner_held[o] + amount;
              IF is_call THEN owner_calls[o] := owner_calls[o] + 1; END IF;
              IF has_days THEN today_free[o] := today_free[o] - amount; today_held[o] := today_held[o] + amount; END IF;
            END IF;
            IF k IS NOT NULL THEN
              key_free[k] := key_free[k] - amount; key_held[k] := key_held[k] + amount;
              IF has_windows THEN window_free[k] := window_free[k] - amount; window_held[k] := window_held[k] + amount; END IF;
            END IF;
            IF l IS NOT NULL THEN limit_free[l] := limit_free[l] - amount; limit_held[l] := limit_held[l] + amount; END IF;
            IF call_token IS NOT NULL THEN
              INSERT INTO idempotency (key_id, token, body_hash, hold_id) VALUES (p_key[i], call_token, p_body[i], p_id[i]);
              IF (SELECT sum(y.bytes) FROM idempotency_hour y WHERE y.owner_id = p_owner[i]
                AND y.hour > now() - interval '24 hours') >= 4294967296 THEN reason := 'full'; END IF;
            END IF;
          END IF;
        END IF;
      END IF;
      r_outcome[i] := outcome; r_amount[i] := amount;
      RETURN NEXT;
      IF reason IS NOT NULL THEN reason := NULL; END IF;
    END LOOP;
    IF 'held' = ANY (r_outcome) THEN
      INSERT INTO hold (id, amount, created_at, holder_id, limit_id, owner_id, key_id, channel, product, what, keeps_answer)
        SELECT p_id[u.i], r_amount[u.i], at, p_holder, p_limit[u.i], p_owner[u.i], p_key[u.i], p_channel[u.i], p_product[u.i],
          p_what[u.i], p_token[u.i] IS NOT NULL
        FROM generate_series(1, cardinality(p_id)) AS u (i) WHERE r_outcome[u.i] = 'held';
    END IF;
  END IF;

  IF ended IS NOT NULL OR is_raised OR 'held' = ANY (r_outcome) THEN
    IF has_limits THEN
      UPDATE spend_limit s SET held = s.held + limit_held[array_position(limits, s.id)],
          spent = s.spent + limit_spent[array_position(limits, s.id)]
        WHERE s.id = ANY (limits);
    END IF;
    IF has_windows THEN
      UPDATE "key" y SET held = y.held + key_held[array_position(keys, y.id)], spent = y.spent + key_spent[array_position(keys, y.id)],
          period_held = CASE WHEN y.period_budget IS NULL THEN 0 ELSE y.period_held + window_held[array_position(keys, y.id)] END,
          period_spent = y.period_spent + window_spent[array_position(keys, y.id)]
        WHERE y.id = ANY (keys);
    ELSE
      UPDATE "key" y SET held = y.held + key_held[array_position(keys, y.id)], spent = y.spent + key_spent[array_position(keys, y.id)]
        WHERE y.id = ANY (keys);
    END IF;
    IF has_days THEN
      UPDATE account a SET held = a.held + owner_held[x.o], available = balance[x.o], chain = chains[x.o],
          calls = greatest(0, a.calls + owner_calls[x.o]), day_start = CASE WHEN a.day_credits IS NOT NULL THEN day_from[x.o] END,
          day_held = CASE WHEN a.day_credits IS NULL THEN 0 ELSE CASE WHEN a.day_start >= today THEN a.day_held ELSE 0 END + today_held[x.o] END,
          day_spent = CASE WHEN a.day_credits IS NULL THEN 0 ELSE CASE WHEN a.day_start >= today THEN a.day_spent ELSE 0 END + today_spent[x.o] END
        FROM unnest(owners) WITH ORDINALITY x (owner_id, o) WHERE a.owner_id = x.owner_id;
    ELSE
      UPDATE account a SET held = a.held + owner_held[array_position(owners, a.owner_id)],
          available = balance[array_position(owners, a.owner_id)], chain = chains[array_position(owners, a.owner_id)],
          calls = greatest(0, a.calls + owner_calls[array_position(owners, a.owner_id)])
        WHERE a.owner_id = ANY (owners);
    END IF;
  END IF;
END $$;

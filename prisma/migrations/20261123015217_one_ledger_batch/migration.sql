-- By hand: schema.prisma does not say this.
-- credits_batch counts the calls in progress itself. Calls of the old credits_settle that are running
-- now still need the trigger.
DROP TRIGGER hold_ended ON hold;
CREATE TRIGGER hold_ended AFTER DELETE ON hold REFERENCING OLD TABLE AS ended
  FOR EACH STATEMENT WHEN (current_setting('tollgate.counts_calls', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION hold_ended();

-- What the calls of one process ask of the ledger at one moment, in one transaction: authenticates
-- and counts requests, ends holds, then takes holds. `settled`, `state` or `outcome` is set: it
-- says which part a row is of. Arrays of which nothing is set may be empty.
--
-- `state`: as `keys_authenticate` says.
-- `settled`, of `p_ended`: a hold is charged its `actual`, clamped to the hold, or, where `extend`
--   is set, to the hold and what is still free under every limit; then `limited` is the limit that
--   left less. Ledger and receipt are written, and the response of an idempotent call is stored.
--   done | again (settled before: the first charge) | expired (it was swept: charged 0)
--   | unknown (no such hold)
-- `outcome`, of `p_id`: a hold is taken for as much as its limits allow between `p_least` and
--   `p_most`, so that `p_spare` credits remain. With `p_after` it is taken only if the request with
--   that number was let in and its key's grants are of the version `p_version`, which the process
--   has checked; else it has no row.
--   held | again (the hold exists) | settled (it was settled; amount = its charge)
--   | key_gone | balance | key_budget | key_period | conversation (refused: which limit)
--   | suspended (the owner's account; reply_answer says why)
--   | busy (the owner has `p_max_calls` in progress; steps of agent runs neither count nor are
--     refused)
--   | replay (reply_* are the stored response) | in_flight | mismatch (the idempotency token)
--
-- Locked rows are read once into arrays, counted item by item, and written once: the cost of a
-- batch is that of its statements and hardly grows with its items. The order of the locks: rate
-- windows, spend limits, keys, accounts. A hold is only ever ended under the lock of its owner's
-- account, so holds themselves need none.
CREATE OR REPLACE FUNCTION credits_batch(
  p_hash bytea[], p_owner_rpm int,
  p_ended uuid[], p_actual bigint[], p_extend boolean[], p_status text[], p_detail jsonb[], p_reply_status int[],
  p_reply_answer text[],
  p_holder uuid, p_id uuid[], p_owner int[], p_key int[], p_limit uuid[], p_least bigint[], p_most bigint[], p_spare bigint[],
  p_door text[], p_product text[], p_what text[], p_token text[], p_body bytea[], p_max_calls int,
  p_after int[], p_version int[]
) RETURNS TABLE (
  n int, settled text, state text, outcome text, amount bigint, held bigint, limited text,
  reply_status int, reply_answer text, reply_charged bigint,
  key_id int, owner_id int, rpm int, remaining int, reset_s int, grants_version int, reason text
) LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  let_in int[];
  s_outcome text[] := array_fill(NULL::text, ARRAY[cardinality(p_ended)]);
  s_charged bigint[] := array_fill(0::bigint, ARRAY[cardinality(p_ended)]);
  s_limited text[] := array_fill(NULL::text, ARRAY[cardinality(p_ended)]);
  r_outcome text[] := array_fill(NULL::text, ARRAY[cardinality(p_id)]);
  r_amount bigint[] := array_fill(0::bigint, ARRAY[cardinality(p_id)]);
  limits uuid[]; limit_owner int[]; limit_free bigint[]; limit_held bigint[]; limit_spent bigint[];
  keys int[]; key_owner int[]; key_valid boolean[]; key_free bigint[]; key_held bigint[]; key_spent bigint[];
  window_start timestamptz[]; window_end timestamptz[]; window_free bigint[]; window_held bigint[]; window_spent bigint[];
  owners int[]; suspended text[]; balance bigint[]; calls int[]; owner_held bigint[]; owner_spent bigint[]; owner_calls int[];
  at timestamptz; newest_start timestamptz;
  keeps boolean; in_window boolean;
  item record; stored record;
  first_n int; k int; o int; l int; free bigint;
BEGIN
  IF p_hash <> '{}' THEN
    let_in := array_fill(NULL::int, ARRAY[cardinality(p_hash)]);
    FOR item IN SELECT * FROM keys_authenticate(p_hash, p_owner_rpm) LOOP
      n := item.n; state := item.state; key_id := item.key_id; owner_id := item.owner_id; rpm := item.rpm;
      remaining := item.remaining; reset_s := item.reset_s; grants_version := item.grants_version; reason := item.reason;
      IF state = 'ok' THEN let_in[n] := grants_version; END IF;
      RETURN NEXT;
    END LOOP;
    state := NULL; key_id := NULL; owner_id := NULL; rpm := NULL; remaining := NULL; reset_s := NULL;
    grants_version := NULL; reason := NULL;
  END IF;

  -- What is locked: the rows of holds to end, and those of holds to take.
  IF p_ended <> '{}' THEN
    SELECT array_agg(DISTINCT h.limit_id) FILTER (WHERE h.limit_id IS NOT NULL), array_agg(DISTINCT h.key_id),
      array_agg(DISTINCT h.owner_id), bool_or(h.keeps_answer)
      INTO limits, keys, owners, keeps FROM hold h WHERE h.id = ANY (p_ended);
  END IF;
  IF p_id <> '{}' THEN
    IF NOT EXISTS (SELECT 1 FROM holder h WHERE h.id = p_holder AND h.lease_until > now() + interval '30 seconds') THEN
      PERFORM credits_renew(p_holder);
    END IF;
    limits := array_remove(p_limit, NULL) || limits; keys := p_key || keys; owners := p_owner || owners;
  END IF;
  IF limits <> '{}' THEN
    SELECT array_agg(x.id), array_agg(x.owner_id), array_agg(x.free), array_agg(0::bigint), array_agg(0::bigint)
      INTO limits, limit_owner, limit_free, limit_held, limit_spent FROM (
        SELECT s.id, s.owner_id, s.cap - s.spent - s.held AS free FROM spend_limit s WHERE s.id = ANY (limits)
        ORDER BY s.id FOR NO KEY UPDATE) x;
  END IF;
  SELECT array_agg(x.id), array_agg(x.owner_id), array_agg(x.valid), array_agg(x.free), array_agg(0::bigint), array_agg(0::bigint),
      array_agg(x.period_start), array_agg(x.period_end), array_agg(x.free_in_window), array_agg(0::bigint), array_agg(0::bigint),
      max(x.period_start)
    INTO keys, key_owner, key_valid, key_free, key_held, key_spent, window_start, window_end, window_free, window_held, window_spent,
      newest_start FROM (
      SELECT y.id, y.owner_id, y.revoked_at IS NULL AND (y.expires_at IS NULL OR y.expires_at > now()) AS valid,
        y.budget - y.spent - y.held AS free, y.period_start, y.period_end,
        y.period_budget - y.period_spent - y.period_held AS free_in_window
      FROM "key" y WHERE y.id = ANY (keys) ORDER BY y.id FOR NO KEY UPDATE) x;
  -- When the holds are taken, which says in which window of their key they count: read under the
  -- lock, in the precision that is stored, and never before a window that has begun.
  at := greatest(date_trunc('milliseconds', clock_timestamp()), newest_start);
  SELECT array_agg(x.owner_id), array_agg(x.suspended_for), array_agg(x.available), array_agg(x.calls), array_agg(0::bigint),
      array_agg(0::bigint), array_agg(0)
    INTO owners, suspended, balance, calls, owner_held, owner_spent, owner_calls FROM (
      SELECT a.owner_id, a.suspended_for, a.available, a.calls FROM account a WHERE a.owner_id = ANY (owners)
      ORDER BY a.owner_id FOR NO KEY UPDATE) x;

  IF p_ended <> '{}' THEN
    FOR item IN
      SELECT u.*, h.amount, h.owner_id, h.key_id, h.limit_id, h.created_at, h.door
      FROM unnest(p_ended, p_actual, p_extend) WITH ORDINALITY AS u (id, actual, extend, n)
      LEFT JOIN LATERAL (SELECT * FROM hold WHERE hold.id = u.id) h ON true
      ORDER BY u.n
    LOOP
      n := item.n; amount := 0; held := coalesce(item.amount, 0); limited := NULL;
      first_n := array_position(p_ended, item.id);

      IF first_n < item.n THEN
        settled := CASE s_outcome[first_n] WHEN 'done' THEN 'again' ELSE s_outcome[first_n] END;
        amount := s_charged[first_n];
      ELSIF item.amount IS NULL THEN
        SELECT c.status, c.charged, c.held INTO stored FROM receipt c WHERE c.id = item.id;
        settled := CASE WHEN NOT FOUND THEN 'unknown' WHEN stored.status = 'expired' THEN 'expired' ELSE 'again' END;
        amount := coalesce(stored.charged, 0); held := coalesce(stored.held, 0);
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
        amount := greatest(0, least(item.actual, item.amount));
        IF item.extend AND item.actual > item.amount THEN
          free := least(balance[o], key_free[k], limit_free[l],
            CASE WHEN in_window THEN window_free[k] WHEN window_start[k] IS NOT NULL THEN 0 END);
          amount := least(item.actual, item.amount + free);
          IF amount < item.actual THEN
            limited := CASE free WHEN limit_free[l] THEN 'conversation' WHEN key_free[k] THEN 'key_budget'
              WHEN balance[o] THEN 'balance' ELSE 'key_period' END;
          END IF;
        END IF;
        settled := 'done';
        balance[o] := balance[o] + item.amount - amount;
        owner_held[o] := owner_held[o] - item.amount; owner_spent[o] := owner_spent[o] + amount;
        owner_calls[o] := owner_calls[o] - (item.door <> 'agent')::int;
        IF k IS NOT NULL THEN
          key_free[k] := key_free[k] + item.amount - amount;
          key_held[k] := key_held[k] - item.amount; key_spent[k] := key_spent[k] + amount;
          IF in_window THEN
            window_free[k] := window_free[k] + item.amount - amount;
            window_held[k] := window_held[k] - item.amount; window_spent[k] := window_spent[k] + amount;
          END IF;
        END IF;
        IF l IS NOT NULL THEN
          limit_free[l] := limit_free[l] + item.amount - amount;
          limit_held[l] := limit_held[l] - item.amount; limit_spent[l] := limit_spent[l] + amount;
        END IF;
      END IF;
      s_outcome[n] := settled; s_charged[n] := amount; s_limited[n] := limited;
      RETURN NEXT;
    END LOOP;
    settled := NULL; held := NULL; limited := NULL;

    IF 'done' = ANY (s_outcome) THEN
      PERFORM set_config('tollgate.counts_calls', 'on', true);
      WITH ended AS (
        DELETE FROM hold h USING unnest(p_ended, s_outcome, s_charged, p_status, p_detail) AS u (id, outcome, charged, status, detail)
        WHERE h.id = u.id AND u.outcome = 'done' RETURNING h.*, u.charged, u.status, u.detail
      ), receipts AS (
        INSERT INTO receipt (id, at, started_at, held, charged, limit_id, owner_id, key_id, status, door, product, what, detail)
        SELECT e.id, clock_timestamp(), e.created_at, e.amount, e.charged, e.limit_id, e.owner_id, e.key_id, e.status, e.door,
          e.product, e.what, e.detail FROM ended e
      )
      INSERT INTO ledger (at, amount, hold_id, owner_id, key_id)
        SELECT clock_timestamp(), -e.charged, e.id, e.owner_id, e.key_id FROM ended e WHERE e.charged > 0;
    END IF;
    IF keeps THEN
      -- A metered call that exhausted the credits stores only the limit: its repeat is the same
      -- 402.
      UPDATE idempotency i SET status = CASE WHEN u.dry THEN 402 ELSE u.reply_status END,
        answer = CASE WHEN u.dry THEN u.limited ELSE u.reply_answer END, charged = u.charged, created_at = now()
        FROM (SELECT v.*, v.limited IS NOT NULL AND v.reply_status < 400 AS dry
          FROM unnest(p_ended, s_charged, s_outcome, s_limited, p_reply_status, p_reply_answer)
          AS v (id, charged, outcome, limited, reply_status, reply_answer)) u
        WHERE i.hold_id = u.id AND u.outcome = 'done' AND u.reply_status IS NOT NULL;
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

    FOR item IN
      SELECT u.*, (SELECT h.amount FROM hold h WHERE h.id = u.id) AS hold_amount,
        (SELECT c.charged FROM receipt c WHERE c.id = u.id) AS charged
      FROM unnest(p_id, p_owner, p_key, p_limit, p_least, p_most, p_spare, p_door, p_token, p_body, p_after, p_version)
        WITH ORDINALITY AS u (id, owner, key, spend_limit, least, most, spare, door, token, body, after, version, n)
    LOOP
      CONTINUE WHEN let_in[item.after] IS DISTINCT FROM item.version;
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
            outcome := 'held'; amount := least(item.most, free - item.spare);
            IF o IS NOT NULL THEN
              balance[o] := balance[o] - amount; owner_held[o] := owner_held[o] + amount;
              owner_calls[o] := owner_calls[o] + (item.door <> 'agent')::int;
            END IF;
            IF k IS NOT NULL THEN
              key_free[k] := key_free[k] - amount; key_held[k] := key_held[k] + amount;
              window_free[k] := window_free[k] - amount; window_held[k] := window_held[k] + amount;
            END IF;
            IF l IS NOT NULL THEN limit_free[l] := limit_free[l] - amount; limit_held[l] := limit_held[l] + amount; END IF;
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
    END IF;
  END IF;

  IF 'done' = ANY (s_outcome) OR 'held' = ANY (r_outcome) THEN
    IF limits <> '{}' THEN
      UPDATE spend_limit s SET held = s.held + d.held, spent = s.spent + d.spent
        FROM unnest(limits, limit_held, limit_spent) AS d (id, held, spent) WHERE s.id = d.id;
    END IF;
    UPDATE "key" y SET held = y.held + d.held, spent = y.spent + d.spent,
        period_held = CASE WHEN y.period_budget IS NULL THEN 0 ELSE y.period_held + d.window_held END,
        period_spent = y.period_spent + d.window_spent
      FROM unnest(keys, key_held, key_spent, window_held, window_spent) AS d (id, held, spent, window_held, window_spent)
      WHERE y.id = d.id AND (d.held <> 0 OR d.spent <> 0 OR d.window_held <> 0 OR d.window_spent <> 0);
    UPDATE account a SET held = a.held + d.held, available = a.available - d.held - d.spent,
        calls = greatest(0, a.calls + d.calls)
      FROM unnest(owners, owner_held, owner_spent, owner_calls) AS d (id, held, spent, calls)
      WHERE a.owner_id = d.id AND (d.held <> 0 OR d.spent <> 0 OR d.calls <> 0);
  END IF;
END $$;

-- Called by processes of the previous release only; credits_batch does the same. To be dropped in
-- the next release.
CREATE OR REPLACE FUNCTION credits_reserve(
  p_holder uuid, p_id uuid[], p_owner int[], p_key int[], p_limit uuid[],
  p_least bigint[], p_most bigint[], p_spare bigint[],
  p_door text[], p_product text[], p_what text[], p_token text[], p_body bytea[], p_max_calls int DEFAULT NULL
) RETURNS TABLE (n int, outcome text, amount bigint, reply_status int, reply_answer text, reply_charged bigint)
LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT b.n, b.outcome, b.amount, b.reply_status, b.reply_answer, b.reply_charged
    FROM credits_batch('{}', NULL, '{}', '{}', '{}', '{}', '{}', '{}', '{}', p_holder, p_id, p_owner, p_key, p_limit, p_least,
      p_most, p_spare, p_door, p_product, p_what, p_token, p_body, p_max_calls, '{}', '{}') b;
END $$;

-- Ends holds as `credits_batch` does, for what does so alone: steps of agent runs, sweeps.
CREATE OR REPLACE FUNCTION credits_settle(
  p_id uuid[], p_actual bigint[], p_extend boolean[], p_status text[], p_detail jsonb[],
  p_reply_status int[], p_reply_answer text[]
) RETURNS TABLE (n int, outcome text, charged bigint, held bigint, limited text)
LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT b.n, b.settled, b.amount, b.held, b.limited
    FROM credits_batch('{}', NULL, p_id, p_actual, p_extend, p_status, p_detail, p_reply_status, p_reply_answer,
      NULL, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', NULL, '{}', '{}') b;
END $$;

-- Authenticates requests by the hash of their key and counts them in the key's minute and, with
-- `p_owner_rpm`, in the owner's, over all keys; each starts with its first request. `rpm`,
-- `remaining` and `reset_s` are those of the window that leaves less. Equal hashes share one lookup
-- and one write. No lock on a key or an account is taken or waited for.
-- States: unknown | revoked | expired | suspended (its account; `reason` says why) | limited
--         | owner_limited | ok
CREATE OR REPLACE FUNCTION keys_authenticate(p_hash bytea[], p_owner_rpm int)
RETURNS TABLE (n int, state text, key_id int, owner_id int, rpm int, remaining int, reset_s int, grants_version int, reason text)
LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  at timestamptz := clock_timestamp();
  hashes bytea[]; keys int[]; owners int[]; limits int[]; versions int[]; reasons text[]; verdicts text[]; key_uses timestamptz[];
  slots text[] := '{}'; ids text[] := '{}'; used int[]; began timestamptz[];
  unused int[] := '{}';
  i int; g int; k int; o int; w int; free int; owner_free int;
BEGIN
  SELECT array_agg(u.hash), array_agg(y.id), array_agg(y.owner_id), array_agg(y.rpm), array_agg(y.grants_version),
      array_agg(a.suspended_for), array_agg(l.used_at),
      array_agg(CASE WHEN y.id IS NULL THEN 'unknown' WHEN y.revoked_at IS NOT NULL THEN 'revoked'
        WHEN y.expires_at <= at OR s.expires_at <= at THEN 'expired'
        WHEN a.suspended_for IS NOT NULL THEN 'suspended' ELSE 'ok' END)
    INTO hashes, keys, owners, limits, versions, reasons, key_uses, verdicts
    FROM (SELECT DISTINCT i.hash FROM unnest(p_hash) AS i (hash)) u
    LEFT JOIN LATERAL (SELECT * FROM key_secret WHERE key_secret.hash = u.hash) s ON true
    LEFT JOIN LATERAL (SELECT * FROM "key" WHERE "key".id = s.key_id) y ON true
    LEFT JOIN LATERAL (SELECT * FROM key_use WHERE key_use.key_id = y.id) l ON true
    LEFT JOIN LATERAL (SELECT account.suspended_for FROM account WHERE account.owner_id = y.owner_id) a ON true;

  FOR g IN 1..coalesce(cardinality(hashes), 0) LOOP
    IF verdicts[g] = 'ok' THEN
      slots := slots || ('key:' || keys[g]);
      IF p_owner_rpm IS NOT NULL THEN slots := slots || ('owner:' || owners[g]); END IF;
      IF key_uses[g] IS NULL OR key_uses[g] < at - interval '1 minute' THEN unused := unused || keys[g]; END IF;
    END IF;
  END LOOP;

  -- The order of the locks: by id. A new or past minute begins now, with 0.
  WHILE NOT slots <@ ids LOOP
    SELECT coalesce(array_agg(x.id), '{}'), array_agg(x.used), array_agg(x.began) INTO ids, used, began FROM (
      SELECT r.id, CASE WHEN r.started_at > at - interval '60 seconds' THEN r.count ELSE 0 END AS used,
        CASE WHEN r.started_at > at - interval '60 seconds' THEN r.started_at ELSE at END AS began
      FROM rate_window r WHERE r.id = ANY (slots) ORDER BY r.id FOR UPDATE) x;
    IF NOT slots <@ ids THEN
      INSERT INTO rate_window (id, started_at, count)
        SELECT DISTINCT s.id, at, 0 FROM unnest(slots) AS s (id) ORDER BY s.id ON CONFLICT (id) DO NOTHING;
    END IF;
  END LOOP;

  FOR i IN 1..cardinality(p_hash) LOOP
    n := i;
    g := array_position(hashes, p_hash[i]);
    state := verdicts[g]; key_id := keys[g]; owner_id := owners[g]; rpm := limits[g]; grants_version := versions[g];
    reason := reasons[g]; remaining := NULL; reset_s := NULL;
    IF state = 'ok' THEN
      k := array_position(ids, 'key:' || keys[g]); w := k;
      o := CASE WHEN p_owner_rpm IS NOT NULL THEN array_position(ids, 'owner:' || owners[g]) END;
      free := greatest(limits[g] - used[k], 0);
      owner_free := greatest(p_owner_rpm - used[o], 0);
      IF owner_free < free THEN free := owner_free; rpm := p_owner_rpm; w := o; END IF;
      IF free > 0 THEN
        used[k] := used[k] + 1;
        IF o IS NOT NULL THEN used[o] := used[o] + 1; END IF;
      ELSE
        state := CASE WHEN w = o THEN 'owner_limited' ELSE 'limited' END;
      END IF;
      remaining := greatest(free - 1, 0);
      reset_s := least(60, greatest(1, ceil(extract(epoch FROM began[w] - at) + 60)));
    END IF;
    RETURN NEXT;
  END LOOP;

  IF slots <> '{}' THEN
    UPDATE rate_window r SET started_at = d.began, count = d.used FROM unnest(ids, began, used) AS d (id, began, used)
      WHERE r.id = d.id AND (r.count <> d.used OR r.started_at <> d.began);
  END IF;
  IF unused <> '{}' THEN
    INSERT INTO key_use (key_id, used_at) SELECT u.id, at FROM unnest(unused) AS u (id) ORDER BY u.id
      ON CONFLICT ON CONSTRAINT key_use_pkey DO UPDATE SET used_at = excluded.used_at;
  END IF;
END $$;

DROP FUNCTION rate_open(text,timestamp with time zone);

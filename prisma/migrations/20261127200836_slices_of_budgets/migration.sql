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
--   | key_gone | balance | key_budget | key_period | account_day | conversation | budget (refused:
--     which limit; `short` is its row, and `held` what other calls hold under it, where without
--     that the credits would be enough)
--   | stale (the account's budgets are of the version `amount`, not `p_budgets`)
--   | suspended (the owner's account; reply_answer says why)
--   | busy (the owner has `amount` calls in progress: the account's own limit, else `p_max_calls`;
--     steps of agent runs neither count nor are refused)
--   | replay (reply_* are the stored response) | in_flight | mismatch (the idempotency token)
--   `reason` is 'full' where a hold with a token was taken and the responses that its owner stored
--   within 24 hours have reached 4 GiB. One batch replays at most 16 MiB beyond the first response:
--   the others are in_flight, for their callers to repeat.
--
-- A slice is a hold of `p_calls` calls to come, which its process admits by itself; it is taken
-- only where the account may have four times as many more in progress. `p_split` are calls of
-- slices (`p_split_of`) that have no hold of their own yet: those that are in `p_ended` end as if
-- they had, the others get theirs, under the budgets of their slice, which shrinks by them. What
-- was split before, or has ended, stays as it is. Of a slice that was swept, they are expired.
-- `p_split_ms`: how long after it a call began. A slice leaves no receipt, unless it was swept.
-- `p_times`: how often a request of `p_hash` counts.
--
-- A limit is a row, whatever it bounds: a cap, what was spent, what is held. `caps`, `used` and
-- `reserved` have those of the batch, in the order in which they are locked: of spend_limit
-- (conversations and budgets), lifetime budgets of keys (a cap of NULL: none), balances (a charge
-- counts as spent until the row is written), then recurring budgets of keys and days of accounts.
-- A hold takes from each that it counts against (`mine`), and its end gives back. It counts in the
-- window in which it was taken, also after its end; only what it cost beyond counts where it ends.
-- The budgets of the i-th hold are `p_row` from `p_from` to `p_to`, each as its process found it.
-- Items that follow each other mostly meet the same ones: those are a group (`at_named`), of which
-- one sum is kept (`group_used`, `group_reserved`) and added to each of its limits when the next
-- item meets others.
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
  p_after int[], p_version int[],
  p_customer int[], p_budgets int[], p_from int[], p_to int[], p_row uuid[], p_row_budget uuid[], p_row_customer int[],
  p_times int[], p_calls int[], p_split uuid[], p_split_of uuid[], p_split_owner int[], p_split_key int[], p_split_amount bigint[],
  p_split_channel text[], p_split_product text[], p_split_what text[], p_split_ms int[]
) RETURNS TABLE (
  n int, settled text, state text, outcome text, amount bigint, held bigint, limited text,
  reply_status int, reply_answer text, reply_charged bigint,
  key_id int, owner_id int, rpm int, remaining int, reset_s int, grants_version int, reason text, short jsonb
) LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off SET enable_material = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  let_in int[];
  s_outcome text[]; s_charged bigint[]; s_limited text[];
  r_outcome text[]; r_amount bigint[];
  limits uuid[]; limit_owner int[]; named uuid[]; named_now text; from_now int; at_named int[];
  group_used bigint := 0; group_reserved bigint := 0; group_free bigint; group_since timestamptz; is_grouped boolean; g int;
  keys int[]; key_owner int[]; key_valid boolean[];
  owners int[]; suspended text[]; chains bytea[]; calling int[]; max_calls int[]; versions int[];
  caps bigint[]; used bigint[]; reserved bigint[]; begins timestamptz[]; ends timestamptz[]; window_begins timestamptz[]; window_ends timestamptz[];
  of_key int; of_owner int; of_period int; of_day int;
  ended uuid[]; ended_amount bigint[]; ended_owner int[]; ended_key int[]; ended_limit uuid[]; ended_at timestamptz[];
  ended_channel text[]; ended_named text[]; ended_calls int[];
  fresh int[]; splits int[]; splits_at timestamptz[]; splits_named text[];
  at timestamptz; call_token text;
  has_limits boolean; has_named boolean; has_windows boolean; has_days boolean; is_plain boolean; keeps boolean; is_repeated boolean;
  is_changed boolean := false;
  stored record; mine int[]; h int; k int; o int; l int; first_n int; free bigint; replayed bigint := 0;
BEGIN
  IF p_hash <> '{}' THEN
    FOR n, state, key_id, owner_id, rpm, remaining, reset_s, grants_version, reason IN
      SELECT * FROM keys_authenticate(p_hash, p_owner_rpm, p_times)
    LOOP
      IF state = 'ok' THEN let_in[n] := grants_version; END IF;
      RETURN NEXT;
    END LOOP;
    state := NULL; key_id := NULL; owner_id := NULL; rpm := NULL; remaining := NULL; reset_s := NULL;
    grants_version := NULL; reason := NULL;
  END IF;

  -- What is locked: the rows of holds to end, and those of holds to take.
  IF p_ended <> '{}' THEN
    SELECT array_agg(h.limit_id) FILTER (WHERE h.limit_id IS NOT NULL), array_agg(h.key_id), array_agg(h.owner_id), bool_or(h.limits IS NOT NULL)
      INTO limits, keys, owners, has_named FROM hold h WHERE h.id = ANY (p_ended || p_split_of);
  END IF;
  IF p_split <> '{}' THEN keys := p_split_key || keys; owners := p_split_owner || owners; END IF;
  IF p_id <> '{}' THEN
    IF NOT EXISTS (SELECT 1 FROM holder h WHERE h.id = p_holder AND h.lease_until > now() + interval '30 seconds') THEN
      PERFORM credits_renew(p_holder);
    END IF;
    IF array_remove(p_row_customer, NULL) <> '{}' THEN PERFORM limits_of_customers(p_row, p_row_budget, p_row_customer); END IF;
    limits := array_remove(p_limit, NULL) || p_row || limits; keys := p_key || keys; owners := p_owner || owners;
    IF array_position(p_product, NULL) IS NOT NULL THEN has_named := true; END IF;
  END IF;
  IF has_named THEN
    SELECT array_agg(u.id) INTO named FROM hold y CROSS JOIN LATERAL unnest(y.limits) u (id) WHERE y.id = ANY (p_ended || p_split_of || p_id);
    limits := limits || named;
  END IF;
  has_limits := limits <> '{}';
  IF has_limits THEN
    SELECT array_agg(x.id), array_agg(x.owner_id), array_agg(x.cap), array_agg(x.spent), array_agg(x.held), array_agg(x.starts_at),
        array_agg(x.ends_at) INTO limits, limit_owner, caps, used, reserved, begins, ends
      FROM (SELECT s.* FROM spend_limit s WHERE s.id = ANY (limits) ORDER BY s.id FOR NO KEY UPDATE) x;
  END IF;
  of_key := coalesce(cardinality(limits), 0);
  SELECT array_agg(x.id), array_agg(x.owner_id), array_agg(x.valid), bool_or(x.has_window),
      caps || array_agg(x.budget), used || array_agg(x.spent), reserved || array_agg(x.held)
    INTO keys, key_owner, key_valid, has_windows, caps, used, reserved FROM (
      SELECT y.id, y.owner_id, y.revoked_at IS NULL AND (y.expires_at IS NULL OR y.expires_at > now()) AS valid, y.budget, y.spent,
        y.held, y.period_budget IS NOT NULL AS has_window
      FROM "key" y WHERE y.id = ANY (keys) ORDER BY y.id FOR NO KEY UPDATE) x;
  of_owner := of_key + coalesce(cardinality(keys), 0);
  SELECT array_agg(x.owner_id), array_agg(x.suspended_for), array_agg(x.calls), array_agg(x.chain), array_agg(x.max_calls),
      array_agg(x.budgets_version), bool_or(x.has_day), caps || array_agg(x.cap), used || array_agg(0::bigint), reserved || array_agg(x.held)
    INTO owners, suspended, calling, chains, max_calls, versions, has_days, caps, used, reserved FROM (
      SELECT a.owner_id, a.suspended_for, a.available + a.held AS cap, a.held, a.calls, a.chain, coalesce(a.max_calls, p_max_calls) AS max_calls,
        a.budgets_version, a.day_credits IS NOT NULL AS has_day
      FROM account a WHERE a.owner_id = ANY (owners) ORDER BY a.owner_id FOR NO KEY UPDATE) x;
  of_period := of_owner + coalesce(cardinality(owners), 0); of_day := of_period;
  -- When holds are taken and end, which says in which windows they count: read under the locks, in
  -- the precision that is stored, and never before a window that has begun.
  at := date_trunc('milliseconds', clock_timestamp());
  IF has_windows THEN
    SELECT caps || array_agg(x.period_budget), used || array_agg(x.period_spent), reserved || array_agg(x.period_held),
        array_agg(x.period_start), array_agg(x.period_end) INTO caps, used, reserved, window_begins, window_ends
      FROM (SELECT y.* FROM "key" y WHERE y.id = ANY (keys) ORDER BY y.id) x;
    of_day := of_period + cardinality(keys);
    begins[of_period + 1 : of_day] := window_begins; ends[of_period + 1 : of_day] := window_ends;
  END IF;
  IF has_days THEN
    -- Of UTC, which no owner can move.
    SELECT caps || array_agg(x.day_credits), used || array_agg(x.day_spent), reserved || array_agg(x.day_held),
        array_agg(x.day_start), array_agg(x.day_start + interval '24 hours') INTO caps, used, reserved, window_begins, window_ends
      FROM (SELECT a.* FROM account a WHERE a.owner_id = ANY (owners) ORDER BY a.owner_id) x;
    l := of_day + cardinality(owners);
    begins[of_day + 1 : l] := window_begins; ends[of_day + 1 : l] := window_ends;
  END IF;
  is_plain := begins IS NULL AND NOT coalesce(has_limits, false);
  IF begins IS NOT NULL THEN
    at := greatest(at, (SELECT max(b) FROM unnest(begins) b));
    IF at >= ANY (ends) THEN
      -- A window that is over is left behind by whoever comes first. Where its owner has moved to
      -- another time zone, the next begins at its end.
      FOR l IN array_lower(ends, 1)..array_upper(ends, 1) LOOP
        CONTINUE WHEN (ends[l] <= at) IS NOT TRUE;
        SELECT b.begins, b.ends INTO stored FROM limit_window(limits[l], keys[l - of_period], at) b;
        begins[l] := greatest(stored.begins, ends[l]); ends[l] := stored.ends; used[l] := 0; reserved[l] := 0;
      END LOOP;
    END IF;
  END IF;

  IF p_split <> '{}' THEN
    SELECT array_agg(u.i) INTO fresh FROM unnest(p_split) WITH ORDINALITY u (id, i)
      WHERE NOT EXISTS (SELECT 1 FROM hold y WHERE y.id = u.id) AND NOT EXISTS (SELECT 1 FROM receipt c WHERE c.id = u.id);
    IF fresh IS NOT NULL THEN
      -- In a window, a call counts as the slice that it is of.
      WITH shrunk AS (
        UPDATE hold y SET amount = y.amount - x.amount, calls = y.calls - x.calls
          FROM (SELECT p_split_of[f.i] AS id, sum(p_split_amount[f.i]) AS amount, count(*) AS calls FROM unnest(fresh) f (i) GROUP BY 1) x
          WHERE y.id = x.id RETURNING y.id, y.created_at, y.holder_id, y.limits
      ), begun AS (
        SELECT f.i, s.holder_id, s.limits, CASE WHEN begins IS NULL
            THEN least(at, s.created_at + p_split_ms[f.i] * interval '1 millisecond') ELSE s.created_at END AS at
          FROM unnest(fresh) f (i) JOIN shrunk s ON s.id = p_split_of[f.i]
      ), own AS (
        INSERT INTO hold (id, amount, created_at, holder_id, owner_id, key_id, channel, product, what, limits)
          SELECT p_split[b.i], p_split_amount[b.i], b.at, b.holder_id, p_split_owner[b.i], p_split_key[b.i], p_split_channel[b.i],
            p_split_product[b.i], p_split_what[b.i], b.limits FROM begun b WHERE p_split[b.i] <> ALL (p_ended)
      )
      SELECT array_agg(b.i), array_agg(b.at), array_agg(b.limits::text) INTO splits, splits_at, splits_named FROM begun b;
      FOREACH l IN ARRAY fresh LOOP
        g := array_position(splits, l);
        IF g IS NULL THEN
          -- Its slice is gone: where that was swept, so was the call.
          INSERT INTO receipt (id, at, started_at, held, charged, owner_id, key_id, status, channel, product, what, detail, seal)
            SELECT p_split[l], c.at, c.started_at, p_split_amount[l], 0, c.owner_id, c.key_id, 'expired', p_split_channel[l],
              p_split_product[l], p_split_what[l], d.detail, receipt_seal(p_split[l], c.at, c.started_at, p_split_amount[l], 0, NULL, c.owner_id,
              c.key_id, 'expired', p_split_channel[l], p_split_product[l], p_split_what[l], d.detail)
            FROM receipt c CROSS JOIN LATERAL (
              SELECT CASE WHEN c.detail ? 'limits' THEN jsonb_build_object('limits', c.detail -> 'limits') END) d (detail)
            WHERE c.id = p_split_of[l] AND c.status = 'expired';
        ELSIF p_split[l] = ANY (p_ended) THEN
          ended := ended || p_split[l]; ended_amount := ended_amount || p_split_amount[l]; ended_owner := ended_owner || p_split_owner[l];
          ended_key := array_append(ended_key, p_split_key[l]); ended_limit := array_append(ended_limit, NULL); ended_at := ended_at || splits_at[g];
          ended_channel := ended_channel || p_split_channel[l]; ended_named := array_append(ended_named, splits_named[g]); ended_calls := array_append(ended_calls, NULL);
        ELSE
          splits[g] := NULL;
        END IF;
      END LOOP;
    END IF;
  END IF;

  IF p_ended <> '{}' THEN
    SELECT ended || array_agg(y.id), ended_amount || array_agg(y.amount), ended_owner || array_agg(y.owner_id),
        ended_key || array_agg(y.key_id), ended_limit || array_agg(y.limit_id), ended_at || array_agg(y.created_at),
        ended_channel || array_agg(y.channel), ended_named || array_agg(y.limits::text), ended_calls || array_agg(y.calls), bool_or(y.keeps_answer)
      INTO ended, ended_amount, ended_owner, ended_key, ended_limit, ended_at, ended_channel, ended_named, ended_calls, keeps
      FROM hold y WHERE y.id = ANY (p_ended);
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
        mine := CASE WHEN k IS NULL THEN ARRAY[of_owner + o] ELSE ARRAY[of_key + k, of_owner + o] END;
        IF NOT is_plain THEN
          IF has_windows AND k IS NOT NULL THEN mine := of_period + k || mine; END IF;
          IF has_days THEN mine := of_day + o || mine; END IF;
          l := array_position(limits, ended_limit[h]);
          IF l IS NOT NULL THEN mine := l || mine; END IF;
          is_grouped := ended_named[h] IS NOT NULL;
          IF is_grouped THEN
            IF ended_named[h] IS DISTINCT FROM named_now THEN
              IF group_used <> 0 OR group_reserved <> 0 THEN
                FOREACH g IN ARRAY at_named LOOP used[g] := used[g] + group_used; reserved[g] := reserved[g] + group_reserved; END LOOP;
                group_used := 0; group_reserved := 0;
              END IF;
              named_now := ended_named[h]; named := named_now::uuid[]; at_named := '{}'; group_since := NULL;
              FOR r IN 1..cardinality(named) LOOP
                g := array_position(limits, named[r]); at_named := g || at_named; group_since := greatest(group_since, begins[g]);
              END LOOP;
            END IF;
            IF (p_extend[i] AND p_actual[i] > held) OR ended_at[h] < group_since THEN
              IF group_used <> 0 OR group_reserved <> 0 THEN
                FOREACH g IN ARRAY at_named LOOP used[g] := used[g] + group_used; reserved[g] := reserved[g] + group_reserved; END LOOP;
                group_used := 0; group_reserved := 0;
              END IF;
              is_grouped := false; mine := at_named || mine;
            END IF;
          END IF;
        END IF;
        IF o IS NULL OR (k IS NULL AND ended_key[h] IS NOT NULL) OR (ended_limit[h] IS NOT NULL AND array_position(limits, ended_limit[h]) IS NULL)
          OR (ended_named[h] IS NOT NULL AND array_position(at_named, NULL) IS NOT NULL) THEN
          -- The hold appeared after the rows were locked: start again, with its rows too.
          RAISE EXCEPTION 'a hold appeared' USING ERRCODE = 'serialization_failure';
        END IF;
        amount := greatest(0, least(p_actual[i], held));
        IF p_extend[i] AND p_actual[i] > held THEN
          -- In the windows that are now: those of its hold may have ended.
          free := NULL;
          FOREACH l IN ARRAY mine LOOP free := least(free, caps[l] - used[l] - reserved[l]); END LOOP;
          amount := least(p_actual[i], held + greatest(0, free));
          IF amount < p_actual[i] THEN
            l := (SELECT m FROM unnest(mine) WITH ORDINALITY u (m, n) ORDER BY caps[m] - used[m] - reserved[m], u.n LIMIT 1);
            limited := CASE WHEN l > of_day THEN 'account_day' WHEN l > of_period THEN 'key_period' WHEN l > of_owner THEN 'balance'
              WHEN l > of_key THEN 'key_budget' WHEN limits[l] = ended_limit[h] THEN 'conversation' ELSE 'budget' END;
            short := limit_shown(limits[l], ended_key[h], limited, caps[l], used[l] + amount, reserved[l] - held, ends[l]);
          END IF;
        END IF;
        settled := 'done'; is_changed := true;
        IF amount > 0 THEN chains[o] := ledger_link(chains[o], owners[o], at, -amount, p_ended[i], ended_key[h], NULL); END IF;
        IF ended_channel[h] <> 'agent' THEN calling[o] := calling[o] - coalesce(ended_calls[h], 1); END IF;
        FOREACH l IN ARRAY mine LOOP
          IF is_plain OR (ended_at[h] < begins[l]) IS NOT TRUE THEN
            used[l] := used[l] + amount; reserved[l] := reserved[l] - held;
          ELSIF amount > held THEN
            used[l] := used[l] + amount - held;
          END IF;
        END LOOP;
        IF is_grouped THEN group_used := group_used + amount; group_reserved := group_reserved - held; END IF;
      END IF;
      s_outcome[i] := settled; s_charged[i] := amount;
      IF keeps THEN s_limited[i] := limited; END IF;
      RETURN NEXT;
      IF short IS NOT NULL THEN short := NULL; END IF;
    END LOOP;
    settled := NULL; held := NULL; limited := NULL;
    IF group_used <> 0 OR group_reserved <> 0 THEN
      FOREACH g IN ARRAY at_named LOOP used[g] := used[g] + group_used; reserved[g] := reserved[g] + group_reserved; END LOOP;
      group_used := 0; group_reserved := 0;
    END IF;

    IF ended IS NOT NULL THEN
      WITH gone AS (
        DELETE FROM hold y WHERE y.id = ANY (ended) RETURNING y.id, y.created_at, y.amount, y.limit_id, y.owner_id, y.key_id, y.channel,
          y.product, y.what, y.customer_id, y.limits, y.calls, array_position(p_ended, y.id) AS n
      ), over AS (
        SELECT g.* FROM gone g WHERE g.calls IS NULL OR p_status[g.n] = 'expired'
        UNION ALL SELECT p_split[x.i], x.at, p_split_amount[x.i], NULL, p_split_owner[x.i], p_split_key[x.i], p_split_channel[x.i],
            p_split_product[x.i], p_split_what[x.i], NULL, x.named::uuid[], NULL, array_position(p_ended, p_split[x.i])
          FROM unnest(splits, splits_at, splits_named) x (i, at, named) WHERE x.i IS NOT NULL
      ), described AS (
        SELECT g.*, CASE WHEN g.customer_id IS NULL AND g.limits IS NULL THEN p_detail[g.n] ELSE coalesce(p_detail[g.n], '{}')
          || jsonb_strip_nulls(jsonb_build_object('customerId', g.customer_id, 'limits', to_jsonb(g.limits))) END AS detail FROM over g
      ), receipts AS (
        INSERT INTO receipt (id, at, started_at, held, charged, limit_id, owner_id, key_id, status, channel, product, what, customer_id, detail, seal)
        SELECT g.id, at, g.created_at, g.amount, s_charged[g.n], g.limit_id, g.owner_id, g.key_id, p_status[g.n],
          g.channel, g.product, g.what, g.customer_id, g.detail, receipt_seal(g.id, at, g.created_at, g.amount, s_charged[g.n], g.limit_id,
          g.owner_id, g.key_id, p_status[g.n], g.channel, g.product, g.what, g.detail) FROM described g
      )
      -- In the order in which they were chained.
      INSERT INTO ledger (at, amount, hold_id, owner_id, key_id)
        SELECT at, -s_charged[g.n], g.id, g.owner_id, g.key_id FROM over g WHERE s_charged[g.n] > 0 ORDER BY g.n;
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
      mine := CASE WHEN k IS NULL THEN ARRAY[of_owner + o] ELSE ARRAY[of_key + k, of_owner + o] END;
      IF NOT is_plain THEN
        IF has_windows AND k IS NOT NULL THEN mine := of_period + k || mine; END IF;
        IF has_days THEN mine := of_day + o || mine; END IF;
        l := array_position(limits, p_limit[i]);
        IF limit_owner[l] = p_owner[i] THEN mine := l || mine; ELSE l := NULL; END IF;
        IF p_from[i] IS NOT NULL THEN
          IF p_from[i] IS DISTINCT FROM from_now THEN
            IF group_used <> 0 OR group_reserved <> 0 THEN
              FOREACH g IN ARRAY at_named LOOP used[g] := used[g] + group_used; reserved[g] := reserved[g] + group_reserved; END LOOP;
              group_used := 0; group_reserved := 0;
            END IF;
            from_now := p_from[i]; at_named := '{}'; group_free := NULL;
            FOR r IN from_now..p_to[i] LOOP
              g := array_position(limits, p_row[r]); at_named := g || at_named;
              group_free := least(group_free, caps[g] - used[g] - reserved[g]);
            END LOOP;
          END IF;
        END IF;
      ELSE
        l := NULL;
      END IF;
      IF is_repeated THEN
        SELECT x.* INTO stored FROM (
          SELECT 'again' AS outcome, y.amount, y.created_at AS at, y.limits FROM hold y WHERE y.id = p_id[i]
          UNION ALL SELECT 'settled', c.charged, c.started_at, NULL FROM receipt c WHERE c.id = p_id[i]) x;
        outcome := stored.outcome; amount := coalesce(stored.amount, 0);
      END IF;

      IF first_n < i THEN
        outcome := CASE r_outcome[first_n] WHEN 'held' THEN 'again' ELSE r_outcome[first_n] END;
        amount := coalesce(r_amount[first_n], 0);
      ELSIF p_product[i] IS NULL THEN
        IF outcome IS NULL THEN
          outcome := 'again';
        ELSIF outcome = 'again' AND amount < p_least[i] THEN
          -- Counted where the hold is: not in a window that began after it.
          IF group_used <> 0 OR group_reserved <> 0 THEN
            FOREACH g IN ARRAY at_named LOOP used[g] := used[g] + group_used; reserved[g] := reserved[g] + group_reserved; END LOOP;
            group_used := 0; group_reserved := 0;
          END IF;
          from_now := NULL;
          mine := ARRAY(SELECT m FROM unnest(mine || ARRAY(SELECT array_position(limits, u.id) FROM unnest(stored.limits) u (id))) m
            WHERE (stored.at < begins[m]) IS NOT TRUE AND m IS NOT NULL);
          free := NULL;
          FOREACH l IN ARRAY mine LOOP free := least(free, caps[l] - used[l] - reserved[l]); END LOOP;
          IF amount + free >= p_least[i] + p_remaining[i] THEN
            free := least(p_most[i] - amount, free - p_remaining[i]); amount := amount + free;
            UPDATE hold y SET amount = credits_batch.amount WHERE y.id = p_id[i];
            is_changed := true;
            FOREACH l IN ARRAY mine LOOP reserved[l] := reserved[l] + free; END LOOP;
          END IF;
        END IF;
      ELSIF outcome IS NOT NULL THEN
        NULL;
      ELSIF p_key[i] IS NOT NULL AND (key_valid[k] AND key_owner[k] = p_owner[i]) IS NOT TRUE THEN
        outcome := 'key_gone';
      ELSIF suspended[o] IS NOT NULL THEN
        outcome := 'suspended'; reply_answer := suspended[o];
      ELSE
        call_token := p_token[i];
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
        IF outcome IS NOT NULL THEN
          NULL;
        ELSIF versions[o] <> p_budgets[i] OR (p_from[i] IS NOT NULL AND array_position(at_named, NULL) IS NOT NULL) THEN
          outcome := 'stale'; amount := versions[o];
        ELSIF p_channel[i] <> 'agent' AND calling[o] + coalesce(4 * p_calls[i], 0) >= max_calls[o] THEN
          outcome := 'busy'; amount := max_calls[o];
        ELSIF o IS NULL OR (l IS NULL AND p_limit[i] IS NOT NULL) THEN
          outcome := CASE WHEN o IS NULL THEN 'balance' ELSE 'conversation' END;
        ELSE
          free := CASE WHEN p_from[i] IS NOT NULL THEN group_free END;
          FOREACH l IN ARRAY mine LOOP free := least(free, caps[l] - used[l] - reserved[l]); END LOOP;
          IF free >= p_least[i] + p_remaining[i] THEN
            outcome := 'held'; amount := least(p_most[i], free - p_remaining[i]); is_changed := true;
            FOREACH l IN ARRAY mine LOOP reserved[l] := reserved[l] + amount; END LOOP;
            IF p_from[i] IS NOT NULL THEN group_reserved := group_reserved + amount; group_free := group_free - amount; END IF;
            IF p_channel[i] <> 'agent' THEN calling[o] := calling[o] + coalesce(p_calls[i], 1); END IF;
            IF call_token IS NOT NULL THEN
              INSERT INTO idempotency (key_id, token, body_hash, hold_id) VALUES (p_key[i], call_token, p_body[i], p_id[i]);
              IF (SELECT sum(y.bytes) FROM idempotency_hour y WHERE y.owner_id = p_owner[i]
                AND y.hour > now() - interval '24 hours') >= 4294967296 THEN reason := 'full'; END IF;
            END IF;
          ELSE
            IF p_from[i] IS NOT NULL THEN
              IF group_used <> 0 OR group_reserved <> 0 THEN
                FOREACH g IN ARRAY at_named LOOP used[g] := used[g] + group_used; reserved[g] := reserved[g] + group_reserved; END LOOP;
                group_used := 0; group_reserved := 0;
              END IF;
              mine := at_named || mine;
            END IF;
            -- One that is spent first, else the one that leaves least: what is held comes back.
            SELECT u.m, caps[u.m] - used[u.m] < p_least[i] + p_remaining[i] AS is_spent INTO stored
              FROM unnest(mine) WITH ORDINALITY u (m, n) WHERE caps[u.m] - used[u.m] - reserved[u.m] < p_least[i] + p_remaining[i]
              ORDER BY is_spent DESC, caps[u.m] - used[u.m] - reserved[u.m], u.n LIMIT 1;
            l := stored.m; amount := caps[l] - used[l] - reserved[l];
            IF NOT stored.is_spent THEN held := reserved[l]; END IF;
            outcome := CASE WHEN l > of_day THEN 'account_day' WHEN l > of_period THEN 'key_period' WHEN l > of_owner THEN 'balance'
              WHEN l > of_key THEN 'key_budget' WHEN limits[l] = p_limit[i] THEN 'conversation' ELSE 'budget' END;
            short := limit_shown(limits[l], p_key[i], outcome, caps[l], used[l], reserved[l], ends[l]);
          END IF;
        END IF;
      END IF;
      r_outcome[i] := outcome; r_amount[i] := amount;
      RETURN NEXT;
      IF reason IS NOT NULL THEN reason := NULL; END IF;
      IF short IS NOT NULL THEN short := NULL; END IF;
    END LOOP;
    IF group_used <> 0 OR group_reserved <> 0 THEN
      FOREACH g IN ARRAY at_named LOOP used[g] := used[g] + group_used; reserved[g] := reserved[g] + group_reserved; END LOOP;
      group_used := 0; group_reserved := 0;
    END IF;
    IF 'held' = ANY (r_outcome) THEN
      INSERT INTO hold (id, amount, created_at, holder_id, limit_id, owner_id, key_id, channel, product, what, keeps_answer, customer_id, limits, calls)
        SELECT p_id[u.i], r_amount[u.i], at, p_holder, p_limit[u.i], p_owner[u.i], p_key[u.i], p_channel[u.i], p_product[u.i],
          p_what[u.i], p_token[u.i] IS NOT NULL, p_customer[u.i], p_row[p_from[u.i]:p_to[u.i]], p_calls[u.i]
        FROM generate_series(1, cardinality(p_id)) AS u (i) WHERE r_outcome[u.i] = 'held';
    END IF;
  END IF;

  IF is_changed THEN
    IF has_limits THEN
      UPDATE spend_limit s SET spent = used[array_position(limits, s.id)], held = reserved[array_position(limits, s.id)],
          starts_at = begins[array_position(limits, s.id)], ends_at = ends[array_position(limits, s.id)]
        WHERE s.id = ANY (limits);
    END IF;
    IF has_windows THEN
      UPDATE "key" y SET spent = used[of_key + x.k], held = reserved[of_key + x.k],
          period_start = begins[of_period + x.k], period_end = ends[of_period + x.k],
          period_spent = CASE WHEN y.period IS NULL THEN 0 ELSE used[of_period + x.k] END,
          period_held = CASE WHEN y.period IS NULL THEN 0 ELSE reserved[of_period + x.k] END
        FROM unnest(keys) WITH ORDINALITY x (key_id, k) WHERE y.id = x.key_id;
    ELSE
      UPDATE "key" y SET spent = used[of_key + array_position(keys, y.id)], held = reserved[of_key + array_position(keys, y.id)]
        WHERE y.id = ANY (keys);
    END IF;
    UPDATE account a SET available = caps[of_owner + array_position(owners, a.owner_id)] - used[of_owner + array_position(owners, a.owner_id)]
          - reserved[of_owner + array_position(owners, a.owner_id)],
        held = reserved[of_owner + array_position(owners, a.owner_id)], chain = chains[array_position(owners, a.owner_id)],
        calls = greatest(0, calling[array_position(owners, a.owner_id)])
      WHERE a.owner_id = ANY (owners);
    IF has_days THEN
      UPDATE account a SET day_start = begins[of_day + x.o], day_spent = used[of_day + x.o], day_held = reserved[of_day + x.o]
        FROM unnest(owners) WITH ORDINALITY x (owner_id, o) WHERE a.owner_id = x.owner_id AND a.day_credits IS NOT NULL;
    END IF;
  END IF;
END $$;

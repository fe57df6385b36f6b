-- AlterTable
ALTER TABLE "account" ADD COLUMN     "day_credits" BIGINT,
ADD COLUMN     "day_held" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "day_spent" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "day_start" TIMESTAMPTZ(3),
ADD COLUMN     "max_calls" INTEGER,
ADD COLUMN     "max_rpm" INTEGER;

-- By hand: schema.prisma does not say this.
ALTER TABLE "account" ADD CONSTRAINT "account_day_check" CHECK ((day_credits IS NULL) = (day_start IS NULL)
  AND day_credits >= 0 AND day_spent >= 0 AND day_held >= 0 AND max_rpm > 0 AND max_calls > 0) NOT VALID;

-- Starts a run: of a new conversation, or of one that is idle. `p_turn` is the turn's row, with
-- `title`.
-- Outcomes: started | missing (this owner has no such conversation)
--           | live (a run of it is in progress)
--           | spent (`credits` so far: its spend limit, or what ended it, leaves nothing)
--           | short (only `credits` are not spent yet, by the limit `limit_source`: what calls in
--             progress hold comes back, and the run waits for it)
-- Raises unique_violation when the owner has used the idempotency key.
CREATE OR REPLACE FUNCTION agent_start(p_turn jsonb, p_is_new boolean, p_least bigint, p_send text, p_message text)
RETURNS TABLE (outcome text, credits bigint, limit_source text)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE t record; j job; place int := 1; balance bigint; budget bigint; period bigint; day bigint; found_by tsvector;
BEGIN
  SELECT * INTO t FROM jsonb_to_record(p_turn) AS x (run_id uuid, job_id uuid, owner_id int, key_id int, title text,
    idempotency_key text, goal text, mode text, model text, agent text, capabilities text[], cap_credits bigint,
    history_turn_limit int, callback_url text, output_schema jsonb, origin text, traceparent text);
  IF NOT p_is_new THEN
    SELECT * INTO j FROM job WHERE job.id = t.job_id AND job.owner_id = t.owner_id FOR NO KEY UPDATE;
    outcome := CASE WHEN j.id IS NULL THEN 'missing' WHEN j.status IN ('running', 'awaiting_input') THEN 'live' END;
    IF outcome IS NOT NULL THEN RETURN NEXT; RETURN; END IF;
    SELECT l.spent INTO credits FROM spend_limit l WHERE l.id = t.job_id;
    IF j.reached_by = 'conversation' OR credits >= t.cap_credits THEN outcome := 'spent'; RETURN NEXT; RETURN; END IF;
    SELECT max(w.number) + 1 INTO place FROM turn w WHERE w.job_id = t.job_id;
  END IF;

  SELECT a.available + a.held, a.day_credits - CASE WHEN a.day_start >= date_trunc('day', clock_timestamp(), 'UTC')
      THEN a.day_spent ELSE 0 END INTO balance, day FROM account a WHERE a.owner_id = t.owner_id;
  SELECT k.budget - k.spent,
      CASE WHEN k.period_end <= clock_timestamp() THEN k.period_budget ELSE k.period_budget - k.period_spent END
    INTO budget, period FROM "key" k WHERE k.id = t.key_id AND k.owner_id = t.owner_id;
  credits := least(coalesce(balance, 0), budget, period, day);
  limit_source := CASE credits WHEN coalesce(balance, 0) THEN 'balance' WHEN budget THEN 'key_budget'
    WHEN period THEN 'key_period' ELSE 'account_day' END;
  IF credits < p_least THEN outcome := 'short'; RETURN NEXT; RETURN; END IF;

  found_by := array_to_tsvector(array_prepend('owner:' || t.owner_id, agent_words(t.goal)));
  INSERT INTO job (id, owner_id, title, status, run_id, key_id, mode, origin, words)
    SELECT t.job_id, t.owner_id, t.title, 'running', t.run_id, t.key_id, t.mode, t.origin, found_by WHERE p_is_new;
  INSERT INTO turn (run_id, job_id, owner_id, number, key_id, idempotency_key, goal, mode, model, agent, capabilities,
      cap_credits, history_turn_limit, callback_url, output_schema, origin, traceparent, started_by, status)
    VALUES (t.run_id, t.job_id, t.owner_id, place, t.key_id, t.idempotency_key, t.goal, t.mode, t.model, t.agent,
      t.capabilities, t.cap_credits, t.history_turn_limit, t.callback_url, t.output_schema, t.origin, t.traceparent,
      agent_actor(t.owner_id, CASE WHEN t.origin = 'dashboard' THEN NULL ELSE t.key_id END), 'running');
  -- What stopped the run before may have credits again, but for its spend limit (see above).
  UPDATE job SET status = 'running', run_id = t.run_id, reached_by = NULL, result = NULL, awaiting = NULL, tries = 0,
    stalls = 0, updated_at = clock_timestamp(), key_id = t.key_id, mode = t.mode, origin = t.origin,
    words = coalesce(job.words, '') || found_by WHERE job.id = t.job_id AND NOT p_is_new;
  -- A spend limit never goes below what is spent or held already.
  INSERT INTO spend_limit (id, owner_id, cap) VALUES (t.job_id, t.owner_id, t.cap_credits)
    ON CONFLICT (id) DO UPDATE SET cap = greatest(excluded.cap, spend_limit.spent + spend_limit.held);
  EXECUTE p_send USING p_message;
  outcome := 'started';
  RETURN NEXT;
END $$;

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
--   `p_most`, so that `p_spare` credits remain. With `p_after` it is taken only if the request with
--   that number was let in and its key's grants are of the version `p_version`, which the process
--   has checked; else it has no row.
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
  p_holder uuid, p_id uuid[], p_owner int[], p_key int[], p_limit uuid[], p_least bigint[], p_most bigint[], p_spare bigint[],
  p_door text[], p_product text[], p_what text[], p_token text[], p_body bytea[], p_max_calls int,
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
  ended_door text[];
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
        array_agg(y.created_at), array_agg(y.door), bool_or(y.keeps_answer)
      INTO ended, ended_amount, ended_owner, ended_key, ended_limit, ended_at, ended_door, keeps
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
        IF ended_door[h] <> 'agent' THEN owner_calls[o] := owner_calls[o] - 1; END IF;
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
      PERFORM set_config('tollgate.counts_calls', 'on', true);
      WITH gone AS (
        DELETE FROM hold y WHERE y.id = ANY (ended) RETURNING y.*, array_position(p_ended, y.id) AS n
      ), receipts AS (
        INSERT INTO receipt (id, at, started_at, held, charged, limit_id, owner_id, key_id, status, door, product, what, detail, seal)
        SELECT g.id, done_at, g.created_at, g.amount, s_charged[g.n], g.limit_id, g.owner_id, g.key_id, p_status[g.n],
          g.door, g.product, g.what, p_detail[g.n], receipt_seal(g.id, done_at, g.created_at, g.amount, s_charged[g.n], g.limit_id,
          g.owner_id, g.key_id, p_status[g.n], g.door, g.product, g.what, p_detail[g.n]) FROM gone g
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
      call_token := p_token[i]; is_call := p_door[i] <> 'agent';
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
        ELSIF outcome = 'again' AND amount < p_least[i] AND amount + free >= p_least[i] + p_spare[i] THEN
          free := least(p_most[i] - amount, free - p_spare[i]); amount := amount + free;
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
          IF free < p_least[i] + p_spare[i] THEN
            -- One that is spent first, else the one that leaves least: what is held comes back.
            SELECT c.source, c.free, CASE WHEN NOT c.is_spent THEN c.held END AS held INTO item FROM (
              SELECT x.*, x.free + coalesce(x.held, 0) < p_least[i] + p_spare[i] AS is_spent FROM (VALUES
                ('conversation', CASE WHEN p_limit[i] IS NOT NULL THEN coalesce(limit_free[l], 0) END,
                  limit_held[l] + (SELECT s.held FROM spend_limit s WHERE s.id = p_limit[i])),
                ('key_budget', key_free[k], key_held[k] + (SELECT y.held FROM "key" y WHERE y.id = p_key[i])),
                ('key_period', window_free[k], window_held[k] + (SELECT y.period_held FROM "key" y WHERE y.id = p_key[i])),
                ('account_day', today_free[o], today_held[o] + (SELECT CASE WHEN a.day_start >= today THEN a.day_held ELSE 0 END
                  FROM account a WHERE a.owner_id = p_owner[i])),
                ('balance', coalesce(balance[o], 0), owner_held[o] + (SELECT a.held FROM account a WHERE a.owner_id = p_owner[i]))
              ) AS x (source, free, held) WHERE x.free < p_least[i] + p_spare[i]) c
            ORDER BY c.is_spent DESC, c.free LIMIT 1;
            outcome := item.source; amount := item.free; held := item.held;
          ELSE
            outcome := 'held'; amount := least(p_most[i], free - p_spare[i]);
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
      INSERT INTO hold (id, amount, created_at, holder_id, limit_id, owner_id, key_id, door, product, what, keeps_answer)
        SELECT p_id[u.i], r_amount[u.i], at, p_holder, p_limit[u.i], p_owner[u.i], p_key[u.i], p_door[u.i], p_product[u.i],
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

-- Takes a call's charge back, once: a positive ledger row, the receipt at 0 with `p_status`.
-- Returns what was given back: 0 when nothing was charged, or when it was given back before.
CREATE OR REPLACE FUNCTION credits_refund(p_id uuid, p_status text, p_note text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE r receipt;
BEGIN
  SELECT c.* INTO r FROM receipt c WHERE c.id = p_id;
  IF NOT FOUND THEN RETURN 0; END IF;
  PERFORM 1 FROM spend_limit s WHERE s.id = r.limit_id FOR NO KEY UPDATE;
  PERFORM 1 FROM "key" y WHERE y.id = r.key_id FOR NO KEY UPDATE;
  PERFORM 1 FROM account a WHERE a.owner_id = r.owner_id FOR NO KEY UPDATE;
  SELECT c.* INTO r FROM receipt c WHERE c.id = p_id;
  IF r.charged = 0 THEN RETURN 0; END IF;
  PERFORM ledger_write(r.owner_id, r.charged, r.id, r.key_id, p_note);
  UPDATE receipt c SET charged = 0, status = coalesce(p_status, c.status),
    detail = coalesce(c.detail, '{}') || jsonb_build_object('refunded', r.charged) WHERE c.id = p_id;
  PERFORM receipt_seal_again(p_id);
  UPDATE spend_limit s SET spent = s.spent - r.charged WHERE s.id = r.limit_id;
  UPDATE "key" y SET spent = y.spent - r.charged,
    period_spent = y.period_spent - charged_in_period(r, y.period_start, r.charged) WHERE y.id = r.key_id;
  UPDATE account a SET available = a.available + r.charged,
    day_spent = a.day_spent - charged_in_period(r, a.day_start, r.charged) WHERE a.owner_id = r.owner_id;
  DELETE FROM idempotency i WHERE i.hold_id = p_id;
  RETURN r.charged;
END $$;

-- Gives back a finished call's charge, or `p_credits` of it, once: a positive ledger row, and what
-- the charge had taken from the balance, from the key's budgets and from the conversation's spend
-- limit. Unlike credits_refund, which undoes a call that was never answered, the receipt keeps its
-- status and a stored response stays: a repeat of the request is answered and not run again.
-- Outcomes: done | again (it was refunded before: the first refund) | more (than was charged)
--           | uncharged (there is nothing to give back) | unknown (no such receipt)
CREATE OR REPLACE FUNCTION credits_refund_call(p_id uuid, p_credits bigint, p_note text)
RETURNS TABLE (outcome text, credits bigint, owner_id int) LANGUAGE plpgsql AS $$
DECLARE r receipt;
BEGIN
  SELECT * INTO r FROM receipt c WHERE c.id = p_id;
  outcome := 'unknown'; credits := 0;
  IF NOT FOUND THEN RETURN NEXT; RETURN; END IF;
  PERFORM 1 FROM spend_limit s WHERE s.id = r.limit_id FOR NO KEY UPDATE;
  PERFORM 1 FROM "key" y WHERE y.id = r.key_id FOR NO KEY UPDATE;
  PERFORM 1 FROM account a WHERE a.owner_id = r.owner_id FOR NO KEY UPDATE;
  SELECT * INTO r FROM receipt c WHERE c.id = p_id;
  owner_id := r.owner_id;
  SELECT l.amount INTO credits FROM ledger l WHERE l.hold_id = p_id AND l.amount > 0;
  IF FOUND THEN
    outcome := 'again';
  ELSIF r.charged = 0 THEN
    outcome := 'uncharged'; credits := 0;
  ELSIF p_credits > r.charged THEN
    outcome := 'more'; credits := r.charged;
  ELSE
    outcome := 'done'; credits := coalesce(p_credits, r.charged);
    PERFORM ledger_write(r.owner_id, credits, r.id, r.key_id, p_note);
    UPDATE receipt c SET charged = c.charged - credits,
      detail = coalesce(c.detail, '{}') || jsonb_build_object('refunded', credits) WHERE c.id = p_id;
    PERFORM receipt_seal_again(p_id);
    UPDATE spend_limit s SET spent = s.spent - credits WHERE s.id = r.limit_id;
    UPDATE "key" y SET spent = y.spent - credits,
      period_spent = y.period_spent - charged_in_period(r, y.period_start, r.charged)
        + charged_in_period(r, y.period_start, r.charged - credits)
      WHERE y.id = r.key_id;
    UPDATE account a SET available = a.available + credits,
      day_spent = a.day_spent - charged_in_period(r, a.day_start, r.charged)
        + charged_in_period(r, a.day_start, r.charged - credits)
      WHERE a.owner_id = r.owner_id;
  END IF;
  RETURN NEXT;
END $$;

-- Makes what an owner's holds, ledger and receipts say of its limits, keys and balance anew. Its
-- caller has made sure that the ledger is as it was written. A number that a check does not allow
-- (less than nothing, more than a budget) is left as it is.
CREATE OR REPLACE FUNCTION credits_repair(p_owner int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM spend_limit s WHERE s.owner_id = p_owner ORDER BY s.id FOR NO KEY UPDATE;
  PERFORM 1 FROM "key" k WHERE k.owner_id = p_owner ORDER BY k.id FOR NO KEY UPDATE;
  PERFORM 1 FROM account a WHERE a.owner_id = p_owner FOR NO KEY UPDATE;
  UPDATE spend_limit s SET held = n.held, spent = n.spent FROM (
      SELECT x.id, coalesce(h.sum, 0) AS held, coalesce(r.sum, 0) + coalesce(d.charged, 0) AS spent FROM spend_limit x
      LEFT JOIN (SELECT limit_id, sum(amount) FROM hold WHERE owner_id = p_owner GROUP BY limit_id) h ON h.limit_id = x.id
      LEFT JOIN (SELECT limit_id, sum(charged) FROM receipt WHERE owner_id = p_owner GROUP BY limit_id) r ON r.limit_id = x.id
      LEFT JOIN deleted_spend d ON d.limit_id = x.id WHERE x.owner_id = p_owner) n
    WHERE s.id = n.id AND (s.held, s.spent) <> (n.held, n.spent) AND n.spent + n.held <= s.cap;
  UPDATE "key" k SET held = n.held, spent = n.spent FROM (
      SELECT x.id, coalesce(h.sum, 0) AS held, coalesce(l.sum, 0) AS spent FROM "key" x
      LEFT JOIN (SELECT key_id, sum(amount) FROM hold WHERE owner_id = p_owner GROUP BY key_id) h ON h.key_id = x.id
      LEFT JOIN (SELECT key_id, -sum(amount) AS sum FROM ledger WHERE owner_id = p_owner GROUP BY key_id) l ON l.key_id = x.id
      WHERE x.owner_id = p_owner) n
    WHERE k.id = n.id AND (k.held, k.spent) <> (n.held, n.spent) AND n.spent >= 0
      AND (k.budget IS NULL OR n.spent + n.held <= k.budget);
  -- As `key_period` of ledger verify: only of windows whose receipts are all kept.
  UPDATE "key" k SET period_held = n.held, period_spent = n.spent FROM (
      SELECT x.id, coalesce(h.sum, 0) AS held, coalesce(r.sum, 0) AS spent FROM "key" x
      LEFT JOIN LATERAL (SELECT sum(charged_in_period(c, x.period_start, c.charged)) FROM receipt c
        WHERE c.key_id = x.id AND c.at >= x.period_start) r ON true
      LEFT JOIN LATERAL (SELECT sum(amount) FROM hold WHERE key_id = x.id AND created_at >= x.period_start) h ON true
      WHERE x.owner_id = p_owner
        AND x.period_start >= coalesce((SELECT cutoff FROM retention WHERE name = 'receipts'), '-infinity')) n
    WHERE k.id = n.id AND (k.period_held, k.period_spent) <> (n.held, n.spent) AND n.spent + n.held <= k.period_budget;
  UPDATE account a SET day_held = n.held, day_spent = n.spent FROM (
      SELECT x.owner_id, coalesce((SELECT sum(h.amount) FROM hold h WHERE h.owner_id = p_owner AND h.created_at >= x.day_start), 0) AS held,
        coalesce((SELECT sum(charged_in_period(c, x.day_start, c.charged)) FROM receipt c
          WHERE c.owner_id = p_owner AND c.at >= x.day_start), 0) AS spent
      FROM account x WHERE x.owner_id = p_owner
        AND x.day_start >= coalesce((SELECT cutoff FROM retention WHERE name = 'receipts'), '-infinity')) n
    WHERE a.owner_id = n.owner_id AND (a.day_held, a.day_spent) <> (n.held, n.spent);
  UPDATE account a SET held = n.held, available = n.total - n.held, calls = n.calls FROM (
      SELECT (SELECT coalesce(sum(l.amount), 0) FROM ledger l WHERE l.owner_id = p_owner) AS total,
        coalesce(sum(h.amount), 0) AS held, count(*) FILTER (WHERE h.door <> 'agent') AS calls
      FROM hold h WHERE h.owner_id = p_owner) n
    WHERE a.owner_id = p_owner AND (a.held, a.available, a.calls) <> (n.held, n.total - n.held, n.calls) AND n.total >= n.held;
END $$;

-- Charges a call that was delivered although its hold had been swept: its process was cut off. Its
-- limits have not kept anything free for it since, so it is charged as far as they allow now. What
-- the sweep made of its receipt and its Idempotency-Key is then as if it had been settled in time.
-- Outcomes: done | again (it was charged before: the first charge) | unknown (no such receipt)
--           | expired (charged 0: its caller has read that it failed, or has repeated it)
-- `limited` is the limit that left less than a metered call cost.
CREATE OR REPLACE FUNCTION credits_settle_late(
  p_id uuid, p_actual bigint, p_extend boolean, p_status text, p_detail jsonb, p_reply_status int, p_reply_answer text
) RETURNS TABLE (outcome text, charged bigint, held bigint, limited text) LANGUAGE plpgsql AS $$
DECLARE
  r receipt; sent jsonb; wanted bigint; free bigint; is_dry boolean;
  balance bigint; key_free bigint; window_free bigint; limit_free bigint; day_free bigint; in_window boolean; in_day boolean;
BEGIN
  outcome := 'unknown'; charged := 0; held := 0;
  SELECT * INTO r FROM receipt c WHERE c.id = p_id;
  IF NOT FOUND THEN RETURN NEXT; RETURN; END IF;
  SELECT s.cap - s.spent - s.held INTO limit_free FROM spend_limit s WHERE s.id = r.limit_id FOR NO KEY UPDATE;
  SELECT y.budget - y.spent - y.held, y.period_budget - y.period_spent - y.period_held, r.started_at >= y.period_start
    INTO key_free, window_free, in_window FROM "key" y WHERE y.id = r.key_id FOR NO KEY UPDATE;
  SELECT a.available, a.day_credits - a.day_spent - a.day_held, r.started_at >= a.day_start INTO balance, day_free, in_day
    FROM account a WHERE a.owner_id = r.owner_id FOR NO KEY UPDATE;
  SELECT * INTO r FROM receipt c WHERE c.id = p_id;
  outcome := 'again'; charged := r.charged; held := r.held;
  IF r.status <> 'expired' THEN RETURN NEXT; RETURN; END IF;

  sent := r.detail -> 'idempotency';
  PERFORM 1 FROM mcp_task t WHERE t.id = p_id FOR UPDATE;
  IF balance IS NULL OR EXISTS (SELECT 1 FROM idempotency i WHERE i.key_id = r.key_id AND i.token = sent ->> 'token')
    OR EXISTS (SELECT 1 FROM mcp_task t WHERE t.id = p_id AND t.is_lost)
  THEN
    outcome := 'expired'; RETURN NEXT; RETURN;
  END IF;

  -- In a window or day that began since, nothing of it counts; beyond its hold it takes nothing
  -- then.
  wanted := greatest(0, CASE WHEN p_extend AND in_window IS NOT FALSE AND in_day IS NOT FALSE THEN p_actual ELSE least(p_actual, r.held) END);
  free := greatest(0, least(balance, key_free, limit_free, CASE WHEN in_window THEN window_free END,
    CASE WHEN in_day THEN day_free END));
  outcome := 'done'; charged := least(wanted, free);
  IF p_extend AND charged < p_actual THEN
    limited := CASE free WHEN limit_free THEN 'conversation' WHEN key_free THEN 'key_budget' WHEN balance THEN 'balance'
      WHEN window_free THEN 'key_period' ELSE 'account_day' END;
  END IF;
  IF charged > 0 THEN
    PERFORM ledger_write(r.owner_id, -charged, r.id, r.key_id, NULL);
    UPDATE spend_limit s SET spent = s.spent + charged WHERE s.id = r.limit_id;
    UPDATE "key" y SET spent = y.spent + charged,
      period_spent = y.period_spent + charged_in_period(r, y.period_start, charged) WHERE y.id = r.key_id;
    UPDATE account a SET available = a.available - charged,
      day_spent = a.day_spent + charged_in_period(r, a.day_start, charged) WHERE a.owner_id = r.owner_id;
  END IF;
  IF wanted > charged THEN
    p_detail := coalesce(p_detail, '{}')
      || jsonb_build_object('loss', coalesce((p_detail ->> 'loss')::bigint, 0) + wanted - charged);
  END IF;
  UPDATE receipt c SET charged = credits_settle_late.charged, status = p_status, detail = p_detail WHERE c.id = p_id;
  PERFORM receipt_seal_again(p_id);
  IF sent IS NOT NULL AND p_reply_status IS NOT NULL AND (charged > 0 OR p_status = 'ok') THEN
    -- As in credits_batch: of a call that exhausted the credits, only the limit is stored.
    is_dry := limited IS NOT NULL AND p_reply_status < 400;
    p_reply_answer := CASE WHEN is_dry THEN limited ELSE p_reply_answer END;
    p_reply_status := CASE WHEN is_dry THEN 402 ELSE p_reply_status END;
    INSERT INTO idempotency (key_id, token, body_hash, hold_id, status, answer, charged, seal)
      VALUES (r.key_id, sent ->> 'token', decode(sent ->> 'body', 'hex'), r.id, p_reply_status, p_reply_answer, charged,
        response_seal(r.id, decode(sent ->> 'body', 'hex'), p_reply_status, p_reply_answer, charged));
    INSERT INTO idempotency_hour AS y (owner_id, hour, bytes)
      VALUES (r.owner_id, date_trunc('hour', now()), octet_length(p_reply_answer))
      ON CONFLICT ON CONSTRAINT idempotency_hour_pkey DO UPDATE SET bytes = y.bytes + excluded.bytes;
  END IF;
  UPDATE mcp_task t SET ended_at = clock_timestamp() WHERE t.id = p_id AND t.ended_at IS NULL;
  RETURN NEXT;
END $$;

-- Authenticates requests by the hash of their key and counts them in the key's minute and, with
-- `p_owner_rpm`, in the owner's, over all keys, which may have a limit of its own in place of that;
-- each starts with its first request. `rpm`, `remaining` and `reset_s` are those of the window that
-- leaves less. Equal hashes share one lookup and one write. No lock on a key or an account is taken
-- or waited for. Its rows are found by index, never by reading a table: a plan that was made while
-- one was small is kept.
-- States: unknown | revoked | expired | suspended (its account; `reason` says why) | limited
--         | owner_limited | ok
CREATE OR REPLACE FUNCTION keys_authenticate(p_hash bytea[], p_owner_rpm int)
RETURNS TABLE (n int, state text, key_id int, owner_id int, rpm int, remaining int, reset_s int, grants_version int, reason text)
LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off SET enable_material = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  at timestamptz := clock_timestamp();
  hashes bytea[]; keys int[]; owners int[]; limits int[]; owner_limits int[]; versions int[]; reasons text[]; verdicts text[]; are_unused boolean[];
  slots text[] := '{}'; ids text[] := '{}'; used int[]; began timestamptz[];
  unused int[] := '{}';
  g int; k int; o int; w int; free int;
BEGIN
  SELECT array_agg(s.hash), array_agg(y.id), array_agg(y.owner_id), array_agg(y.rpm),
      CASE WHEN p_owner_rpm IS NOT NULL THEN array_agg(coalesce(a.max_rpm, p_owner_rpm)) END, array_agg(y.grants_version),
      array_agg(a.suspended_for), array_agg(l.used_at IS NULL OR l.used_at < at - interval '1 minute'),
      array_agg(CASE WHEN y.revoked_at IS NOT NULL THEN 'revoked' WHEN y.expires_at <= at OR s.expires_at <= at THEN 'expired'
        WHEN a.suspended_for IS NOT NULL THEN 'suspended' ELSE 'ok' END)
    INTO hashes, keys, owners, limits, owner_limits, versions, reasons, are_unused, verdicts
    FROM key_secret s JOIN "key" y ON y.id = s.key_id
    LEFT JOIN account a ON a.owner_id = y.owner_id LEFT JOIN key_use l ON l.key_id = y.id
    WHERE s.hash = ANY (p_hash);

  FOR g IN 1..coalesce(cardinality(hashes), 0) LOOP
    IF verdicts[g] = 'ok' THEN
      slots := slots || ('key:' || keys[g]);
      IF p_owner_rpm IS NOT NULL THEN slots := slots || ('owner:' || owners[g]); END IF;
      IF are_unused[g] THEN unused := unused || keys[g]; END IF;
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
    -- Equal hashes are mostly beside each other.
    IF i = 1 OR p_hash[i] <> p_hash[i - 1] THEN
      g := array_position(hashes, p_hash[i]);
      state := coalesce(verdicts[g], 'unknown'); key_id := keys[g]; owner_id := owners[g]; rpm := limits[g];
      grants_version := versions[g]; reason := reasons[g]; remaining := NULL; reset_s := NULL;
      k := array_position(ids, 'key:' || key_id);
      o := CASE WHEN p_owner_rpm IS NOT NULL THEN array_position(ids, 'owner:' || owner_id) END;
    END IF;
    IF verdicts[g] = 'ok' THEN
      w := k; rpm := limits[g]; free := greatest(rpm - used[k], 0);
      IF o IS NOT NULL AND greatest(owner_limits[g] - used[o], 0) < free THEN
        w := o; rpm := owner_limits[g]; free := greatest(rpm - used[o], 0);
      END IF;
      IF free > 0 THEN
        state := 'ok'; remaining := free - 1;
        used[k] := used[k] + 1;
        IF o IS NOT NULL THEN used[o] := used[o] + 1; END IF;
      ELSE
        state := CASE WHEN w = o THEN 'owner_limited' ELSE 'limited' END; remaining := 0;
      END IF;
      reset_s := least(60, greatest(1, ceil(date_part('epoch', began[w] - at)) + 60));
    END IF;
    RETURN NEXT;
  END LOOP;

  IF slots <> '{}' THEN
    UPDATE rate_window r SET count = used[array_position(ids, r.id)],
        started_at = CASE WHEN r.started_at > at - interval '60 seconds' THEN r.started_at ELSE at END
      WHERE r.id = ANY (ids) AND (r.count <> used[array_position(ids, r.id)] OR r.started_at <= at - interval '60 seconds');
  END IF;
  IF unused <> '{}' THEN
    INSERT INTO key_use (key_id, used_at) SELECT DISTINCT u.id, at FROM unnest(unused) AS u (id) ORDER BY u.id
      ON CONFLICT ON CONSTRAINT key_use_pkey DO UPDATE SET used_at = excluded.used_at;
  END IF;
END $$;

-- What the calls of one process ask of the ledger at one moment, in one transaction: ends holds
-- (`credits_settle`), then authenticates and counts requests (`keys_authenticate`), then takes holds
-- (`credits_reserve`). A hold with `p_after` is taken only if the request with that number was let
-- in and its key's grants are of the version `p_version`, which the process has checked; else it has
-- no row. Arrays of which nothing is set may be empty.
-- `settled`, `state` or `outcome` is set: it says which part a row is of.
CREATE OR REPLACE FUNCTION credits_batch(
  p_ended uuid[], p_actual bigint[], p_extend boolean[], p_status text[], p_detail jsonb[], p_reply_status int[],
  p_reply_answer text[],
  p_hash bytea[], p_owner_rpm int,
  p_holder uuid, p_id uuid[], p_owner int[], p_key int[], p_limit uuid[], p_least bigint[], p_most bigint[], p_spare bigint[],
  p_door text[], p_product text[], p_what text[], p_token text[], p_body bytea[], p_max_calls int,
  p_after int[], p_version int[]
) RETURNS TABLE (
  n int, settled text, state text, outcome text, amount bigint, held bigint, limited text,
  reply_status int, reply_answer text, reply_charged bigint,
  key_id int, owner_id int, rpm int, remaining int, reset_s int, grants_version int, reason text
) LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  limits uuid[]; keys int[]; owners int[];
  item record;
  let_in int[] := array_fill(NULL::int, ARRAY[cardinality(p_hash)]);
  kept int[]; i int;
BEGIN
  IF p_ended <> '{}' AND p_id <> '{}' THEN
    -- Each part locks its rows in one order; those of both are locked in that order here.
    SELECT array_agg(h.limit_id), array_agg(h.key_id), array_agg(h.owner_id) INTO limits, keys, owners
      FROM hold h WHERE h.id = ANY (p_ended);
    limits := array_remove(p_limit || limits, NULL);
    IF limits <> '{}' THEN PERFORM FROM spend_limit s WHERE s.id = ANY (limits) ORDER BY s.id FOR NO KEY UPDATE; END IF;
    PERFORM FROM "key" y WHERE y.id = ANY (p_key || keys) ORDER BY y.id FOR NO KEY UPDATE;
    PERFORM FROM account a WHERE a.owner_id = ANY (p_owner || owners) ORDER BY a.owner_id FOR NO KEY UPDATE;
  END IF;

  IF p_ended <> '{}' THEN
    FOR item IN SELECT * FROM credits_settle(p_ended, p_actual, p_extend, p_status, p_detail, p_reply_status, p_reply_answer) LOOP
      n := item.n; settled := item.outcome; amount := item.charged; held := item.held; limited := item.limited;
      RETURN NEXT;
    END LOOP;
    settled := NULL; amount := NULL; held := NULL; limited := NULL;
  END IF;

  IF p_hash <> '{}' THEN
    FOR item IN SELECT * FROM keys_authenticate(p_hash, p_owner_rpm) LOOP
      n := item.n; state := item.state; key_id := item.key_id; owner_id := item.owner_id; rpm := item.rpm;
      remaining := item.remaining; reset_s := item.reset_s; grants_version := item.grants_version; reason := item.reason;
      IF item.state = 'ok' THEN let_in[item.n] := item.grants_version; END IF;
      RETURN NEXT;
    END LOOP;
    state := NULL; key_id := NULL; owner_id := NULL; rpm := NULL; remaining := NULL; reset_s := NULL;
    grants_version := NULL; reason := NULL;
  END IF;

  IF p_id <> '{}' THEN
    FOR i IN 1..cardinality(p_after) LOOP
      IF p_after[i] IS NOT NULL AND let_in[p_after[i]] IS DISTINCT FROM p_version[i] THEN
        kept := '{}';
        EXIT;
      END IF;
    END LOOP;
    IF kept IS NOT NULL THEN
      SELECT array_agg(u.n), array_agg(u.id), array_agg(u.owner), array_agg(u.key), array_agg(u.spend_limit), array_agg(u.least),
          array_agg(u.most), array_agg(u.spare), array_agg(u.door), array_agg(u.product), array_agg(u.what), array_agg(u.token),
          array_agg(u.body)
        INTO kept, p_id, p_owner, p_key, p_limit, p_least, p_most, p_spare, p_door, p_product, p_what, p_token, p_body
        FROM unnest(p_id, p_owner, p_key, p_limit, p_least, p_most, p_spare, p_door, p_product, p_what, p_token, p_body, p_after,
          p_version) WITH ORDINALITY
          AS u (id, owner, key, spend_limit, least, most, spare, door, product, what, token, body, after, version, n)
        WHERE u.after IS NULL OR let_in[u.after] = u.version;
      IF p_id IS NULL THEN RETURN; END IF;
    END IF;
    FOR item IN SELECT * FROM credits_reserve(p_holder, p_id, p_owner, p_key, p_limit, p_least, p_most, p_spare, p_door, p_product,
        p_what, p_token, p_body, p_max_calls) LOOP
      n := coalesce(kept[item.n], item.n); outcome := item.outcome; amount := item.amount;
      reply_status := item.reply_status; reply_answer := item.reply_answer; reply_charged := item.reply_charged;
      RETURN NEXT;
    END LOOP;
  END IF;
END $$;

-- Authenticates requests by the hash of their key and counts them in the key's minute and, with
-- `p_owner_rpm`, in the owner's, over all keys, which may have a limit of its own in place of that;
-- each starts with its first request. `rpm`, `remaining` and `reset_s` are those of the window that
-- leaves less. A request counts as often as `p_times` says, once where that has nothing of it:
-- some are counted after they were admitted. Equal hashes share one lookup and one write. No lock
-- on a key or an account is taken or waited for. Its rows are found by index, never by reading a
-- table: a plan that was made while one was small is kept.
-- States: unknown | revoked | expired | suspended (its account; `reason` says why) | limited
--         | owner_limited | ok
CREATE OR REPLACE FUNCTION keys_authenticate(p_hash bytea[], p_owner_rpm int, p_times int[])
RETURNS TABLE (n int, state text, key_id int, owner_id int, rpm int, remaining int, reset_s int, grants_version int, reason text)
LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off SET enable_material = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  at timestamptz := clock_timestamp();
  hashes bytea[]; keys int[]; owners int[]; limits int[]; owner_limits int[]; versions int[]; reasons text[]; verdicts text[]; are_unused boolean[];
  slots text[] := '{}'; ids text[] := '{}'; used int[]; began timestamptz[];
  unused int[] := '{}';
  g int; k int; o int; w int; free int; times int;
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
        times := coalesce(p_times[i], 1);
        state := 'ok'; remaining := greatest(free - times, 0);
        used[k] := used[k] + times;
        IF o IS NOT NULL THEN used[o] := used[o] + times; END IF;
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

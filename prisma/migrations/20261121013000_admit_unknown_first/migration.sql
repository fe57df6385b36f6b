-- The first key that a connection was asked for must not have to be a good one: a record has no fields before its first
-- row, and the function did not even parse. Plain variables have their type from the start.
CREATE OR REPLACE FUNCTION keys_admit(p_hash bytea[])
RETURNS TABLE (n int, state text, key_id int, owner_id int, rpm int, remaining int, reset_s int)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE g record; began timestamptz; used_before int; granted int; at timestamptz := clock_timestamp(); spot int;
BEGIN
  FOR g IN
    SELECT k.id, k.owner_id AS owner, k.rpm AS per_minute, k.last_used_at, u.ns, 'key:' || k.id AS slot,
      CASE WHEN k.id IS NULL THEN 'unknown' WHEN k.revoked_at IS NOT NULL THEN 'revoked'
        WHEN k.expires_at <= at OR s.expires_at <= at THEN 'expired' ELSE 'ok' END AS verdict
    FROM (SELECT i.hash, array_agg(i.n ORDER BY i.n) AS ns FROM unnest(p_hash) WITH ORDINALITY AS i (hash, n) GROUP BY i.hash) u
    LEFT JOIN LATERAL (SELECT * FROM key_secret WHERE key_secret.hash = u.hash) s ON true
    LEFT JOIN LATERAL (SELECT * FROM "key" WHERE "key".id = s.key_id) k ON true
    ORDER BY k.id
  LOOP
    key_id := g.id; owner_id := g.owner; rpm := g.per_minute; reset_s := NULL;
    granted := 0; used_before := NULL;
    IF g.verdict = 'ok' THEN
      LOOP
        UPDATE rate_window r SET
          started_at = CASE WHEN o.fresh THEN at ELSE o.started_at END,
          count = o.used + least(cardinality(g.ns), greatest(g.per_minute - o.used, 0))
        FROM (SELECT x.id, x.started_at, x.started_at <= at - interval '60 seconds' AS fresh,
            CASE WHEN x.started_at <= at - interval '60 seconds' THEN 0 ELSE x.count END AS used
          FROM rate_window x WHERE x.id = g.slot FOR UPDATE) o
        WHERE r.id = o.id RETURNING r.started_at, o.used INTO began, used_before;
        EXIT WHEN FOUND;
        INSERT INTO rate_window (id, started_at, count) VALUES (g.slot, at, 0) ON CONFLICT (id) DO NOTHING;
      END LOOP;
      granted := least(cardinality(g.ns), greatest(g.per_minute - used_before, 0));
      reset_s := least(60, greatest(1, ceil(extract(epoch FROM began - at) + 60)));
      IF g.last_used_at IS NULL OR g.last_used_at < at - interval '1 minute' THEN
        UPDATE "key" SET last_used_at = at WHERE id = g.id;
      END IF;
    END IF;
    FOR spot IN 1..cardinality(g.ns) LOOP
      n := g.ns[spot];
      state := CASE WHEN g.verdict <> 'ok' THEN g.verdict WHEN spot <= granted THEN 'ok' ELSE 'limited' END;
      remaining := CASE WHEN g.verdict = 'ok' THEN greatest(g.per_minute - used_before - spot, 0) END;
      RETURN NEXT;
    END LOOP;
  END LOOP;
END $$;

-- Authenticates requests by the hash of their key and counts them in the key's minute and, with
-- `p_owner_rpm`, in the owner's, over all keys; each starts with its first request. `rpm`,
-- `remaining` and `reset_s` are those of the window that leaves less. Equal hashes share one lookup
-- and one write. No lock on a key or an account is taken or waited for.
-- States: unknown | revoked | expired | suspended (its account; `reason` says why) | limited
--         | owner_limited | ok
CREATE OR REPLACE FUNCTION keys_authenticate(p_hash bytea[], p_owner_rpm int)
RETURNS TABLE (n int, state text, key_id int, owner_id int, rpm int, remaining int, reset_s int, grants_version int, reason text)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  g record; at timestamptz := clock_timestamp(); spot int;
  key_window record; owner_window record;
  free int; owner_free int; by_owner boolean; granted int;
BEGIN
  -- The order of the locks: by owner, the owner's window first, then those of its keys.
  FOR g IN
    SELECT k.id, k.owner_id AS owner, k.rpm AS per_minute, k.grants_version AS version, l.used_at, u.ns,
      cardinality(u.ns) AS wanted, a.suspended_for,
      CASE WHEN k.id IS NULL THEN 'unknown' WHEN k.revoked_at IS NOT NULL THEN 'revoked'
        WHEN k.expires_at <= at OR s.expires_at <= at THEN 'expired'
        WHEN a.suspended_for IS NOT NULL THEN 'suspended' ELSE 'ok' END AS verdict
    FROM (SELECT i.hash, array_agg(i.n ORDER BY i.n) AS ns FROM unnest(p_hash) WITH ORDINALITY AS i (hash, n) GROUP BY i.hash) u
    LEFT JOIN LATERAL (SELECT * FROM key_secret WHERE key_secret.hash = u.hash) s ON true
    LEFT JOIN LATERAL (SELECT * FROM "key" WHERE "key".id = s.key_id) k ON true
    LEFT JOIN LATERAL (SELECT * FROM key_use WHERE key_use.key_id = k.id) l ON true
    LEFT JOIN LATERAL (SELECT account.suspended_for FROM account WHERE account.owner_id = k.owner_id) a ON true
    ORDER BY k.owner_id, k.id
  LOOP
    key_id := g.id; owner_id := g.owner; rpm := g.per_minute; grants_version := g.version;
    reason := g.suspended_for; reset_s := NULL; granted := 0; free := NULL;
    IF g.verdict = 'ok' THEN
      owner_free := NULL;
      IF p_owner_rpm IS NOT NULL THEN
        SELECT * INTO owner_window FROM rate_open('owner:' || g.owner, at);
        owner_free := greatest(p_owner_rpm - owner_window.used, 0);
      END IF;
      SELECT * INTO key_window FROM rate_open('key:' || g.id, at);
      free := greatest(g.per_minute - key_window.used, 0);
      by_owner := coalesce(owner_free < free, false);
      granted := least(g.wanted, free, owner_free);
      IF granted > 0 THEN
        UPDATE rate_window r SET started_at = key_window.began, count = key_window.used + granted WHERE r.id = 'key:' || g.id;
        IF p_owner_rpm IS NOT NULL THEN
          UPDATE rate_window r SET started_at = owner_window.began, count = owner_window.used + granted
            WHERE r.id = 'owner:' || g.owner;
        END IF;
      END IF;
      reset_s := least(60, greatest(1, ceil(extract(epoch FROM key_window.began - at) + 60)));
      IF by_owner THEN
        rpm := p_owner_rpm; free := owner_free;
        reset_s := least(60, greatest(1, ceil(extract(epoch FROM owner_window.began - at) + 60)));
      END IF;
      IF g.used_at IS NULL OR g.used_at < at - interval '1 minute' THEN
        INSERT INTO key_use (key_id, used_at) VALUES (g.id, at)
          ON CONFLICT ON CONSTRAINT key_use_pkey DO UPDATE SET used_at = excluded.used_at;
      END IF;
    END IF;
    FOR spot IN 1..g.wanted LOOP
      n := g.ns[spot];
      state := CASE WHEN g.verdict <> 'ok' THEN g.verdict WHEN spot <= granted THEN 'ok'
        WHEN by_owner THEN 'owner_limited' ELSE 'limited' END;
      remaining := CASE WHEN g.verdict = 'ok' THEN greatest(free - spot, 0) END;
      RETURN NEXT;
    END LOOP;
  END LOOP;
END $$;

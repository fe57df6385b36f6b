-- Notes that the database is reachable now. Returns since when it has been without a gap of 20 s:
-- processes renew every 10 s, so a longer one means that the database was away, not that every
-- process died.
CREATE OR REPLACE FUNCTION credits_tick() RETURNS timestamptz LANGUAGE sql AS $$
  INSERT INTO credits_clock AS c (id, seen_at, up_since) VALUES (1, clock_timestamp(), clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET seen_at = greatest(c.seen_at, excluded.seen_at),
      up_since = CASE WHEN c.seen_at < excluded.seen_at - interval '20 seconds' THEN excluded.seen_at ELSE c.up_since END
    RETURNING c.up_since;
$$;

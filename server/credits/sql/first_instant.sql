-- The first moment at which clocks of a time zone show a time, or, where they skip it, show a later
-- one. PostgreSQL's own answer is the last.
CREATE OR REPLACE FUNCTION first_instant(p_local timestamp, p_zone text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT coalesce(min(t.at), p_local AT TIME ZONE p_zone)
  FROM (SELECT (p_local AT TIME ZONE p_zone) - n * interval '30 minutes' AS at FROM generate_series(0, 4) n) t
  WHERE t.at AT TIME ZONE p_zone = p_local
$$;

-- The window around a moment of a row of spend_limit, else of a key's recurring budget, in its
-- owner's time zone; of neither, the day of UTC.
CREATE OR REPLACE FUNCTION limit_window(p_limit uuid, p_key int, p_at timestamptz, OUT begins timestamptz, OUT ends timestamptz)
LANGUAGE plpgsql STABLE AS $$
DECLARE w record;
BEGIN
  SELECT x.period, o.time_zone INTO w FROM (
    SELECT s.period, s.owner_id FROM spend_limit s WHERE s.id = p_limit
    UNION ALL SELECT y.period, y.owner_id FROM "key" y WHERE y.id = p_key AND p_limit IS NULL) x JOIN owner o ON o.id = x.owner_id;
  SELECT b.begins, b.ends INTO begins, ends FROM budget_period(coalesce(w.period, 'day'), coalesce(w.time_zone, 'UTC'), p_at) b;
END $$;

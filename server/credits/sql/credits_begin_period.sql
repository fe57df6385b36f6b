-- Begins the window of a recurring budget for the keys whose last one has ended at `p_at`; its
-- caller has locked them. Returns what each of these windows allows. Where the owner has moved to
-- another time zone, the window begins at the end of the last one.
CREATE OR REPLACE FUNCTION credits_begin_period(p_key int[], p_at timestamptz)
RETURNS TABLE (key_id int, free bigint) LANGUAGE sql AS $$
  UPDATE "key" y SET period_start = w.begins, period_end = w.ends, period_spent = 0, period_held = 0
    FROM (SELECT k.id, greatest(b.begins, k.period_end) AS begins, b.ends
      FROM "key" k JOIN owner o ON o.id = k.owner_id, LATERAL budget_period(k.period, o.time_zone, p_at) b
      WHERE k.id = ANY (p_key) AND k.period_end <= p_at) w
    WHERE y.id = w.id
    RETURNING y.id, y.period_budget
$$;

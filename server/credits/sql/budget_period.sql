-- The day, week (from Monday) or month around a moment, as one begins in a time zone.
CREATE OR REPLACE FUNCTION budget_period(p_period text, p_zone text, p_at timestamptz, OUT begins timestamptz, OUT ends timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT date_trunc(p_period, p_at, p_zone), (date_trunc(p_period, p_at AT TIME ZONE p_zone) + ('1 ' || p_period)::interval) AT TIME ZONE p_zone
$$;

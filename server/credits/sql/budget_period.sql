-- The day, week (from Monday) or month around a moment, as one begins in a time zone. Where clocks
-- are set back over midnight, that midnight is there twice: a day begins with the first of them.
CREATE OR REPLACE FUNCTION budget_period(p_period text, p_zone text, p_at timestamptz, OUT begins timestamptz, OUT ends timestamptz)
LANGUAGE plpgsql STABLE AS $$
DECLARE local timestamp := date_trunc(p_period, p_at AT TIME ZONE p_zone);
BEGIN
  begins := first_instant(local, p_zone);
  local := local + ('1 ' || p_period)::interval;
  ends := first_instant(local, p_zone);
  IF ends <= p_at THEN ends := local AT TIME ZONE p_zone; END IF;
END $$;

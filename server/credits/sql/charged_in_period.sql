-- What a call counts in the window of its key, or on the day of its account, that began at
-- `p_start`, had it been charged `p_charged`: all of it where its hold was taken then, else what it
-- cost beyond that.
CREATE OR REPLACE FUNCTION charged_in_period(p_receipt receipt, p_start timestamptz, p_charged bigint)
RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_start IS NULL OR p_receipt.at < p_start THEN 0 WHEN p_receipt.started_at >= p_start THEN p_charged
    ELSE greatest(0, p_charged - p_receipt.held) END
$$;

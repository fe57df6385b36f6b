-- How a call ended, as its owner sees it: ok, failed (and charged) or free (failed, not charged).
CREATE OR REPLACE FUNCTION usage_outcome(p_status text, p_charged bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_status = 'ok' THEN 'ok' WHEN p_charged > 0 THEN 'failed' ELSE 'free' END;
$$;

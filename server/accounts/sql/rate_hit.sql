-- Counts one attempt under `p_id`; false when the window already has `p_max`. Rejected attempts do
-- not count.
CREATE OR REPLACE FUNCTION rate_hit(p_id text, p_max int, p_seconds int, OUT allowed boolean, OUT reset_s int)
LANGUAGE plpgsql AS $$
DECLARE w record;
BEGIN
  INSERT INTO rate_window (id, started_at, count) VALUES (p_id, clock_timestamp(), 0) ON CONFLICT (id) DO NOTHING;
  SELECT * INTO w FROM rate_window WHERE id = p_id FOR UPDATE;
  IF w.started_at <= clock_timestamp() - make_interval(secs => p_seconds) THEN
    w.started_at := clock_timestamp(); w.count := 0;
  END IF;
  allowed := w.count < p_max;
  reset_s := least(p_seconds, greatest(1, ceil(extract(epoch FROM w.started_at - clock_timestamp()) + p_seconds)));
  UPDATE rate_window SET started_at = w.started_at, count = w.count + allowed::int WHERE id = p_id;
END $$;

-- Locks a minute's counter and returns what it counted before and when it began: 0 and `p_at` for a
-- new or past one.
CREATE OR REPLACE FUNCTION rate_open(p_slot text, p_at timestamptz, OUT used int, OUT began timestamptz) LANGUAGE plpgsql AS $$
BEGIN
  LOOP
    SELECT r.count, r.started_at INTO used, began FROM rate_window r WHERE r.id = p_slot FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO rate_window (id, started_at, count) VALUES (p_slot, p_at, 0) ON CONFLICT (id) DO NOTHING;
  END LOOP;
  IF began <= p_at - interval '60 seconds' THEN
    used := 0; began := p_at;
  END IF;
END $$;

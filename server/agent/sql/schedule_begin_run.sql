-- Records that a schedule is due at `p_due`, and moves it to `p_next`: once, however many processes
-- see it. Outcomes: starting | skipped (an earlier run is in progress)
--                 | changed (it is not due then any more)
CREATE OR REPLACE FUNCTION schedule_begin_run(p_schedule uuid, p_due timestamptz, p_next timestamptz, p_skipped text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE live boolean;
BEGIN
  PERFORM 1 FROM schedule s WHERE s.id = p_schedule AND s.next_at = p_due FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'changed'; END IF;
  UPDATE schedule SET next_at = p_next WHERE id = p_schedule;
  SELECT EXISTS (SELECT 1 FROM schedule_run r WHERE r.schedule_id = p_schedule AND r.state IN ('starting', 'running')) INTO live;
  INSERT INTO schedule_run (schedule_id, due_at, state, reason)
    VALUES (p_schedule, p_due, CASE WHEN live THEN 'skipped' ELSE 'starting' END, CASE WHEN live THEN p_skipped END)
    ON CONFLICT DO NOTHING;
  RETURN CASE WHEN live THEN 'skipped' ELSE 'starting' END;
END $$;

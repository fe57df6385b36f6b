-- Records that a schedule is due at `p_due`, and moves it to `p_next`: once, however many processes
-- see it. While an earlier run is live the time is skipped, or queued where that run waits for a
-- person and the schedule says so: at most ten times.
-- Outcomes: starting (also what is queued) | skipped | changed (it is not due then any more)
CREATE OR REPLACE FUNCTION schedule_begin_run(p_schedule uuid, p_due timestamptz, p_next timestamptz, p_skipped text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE mode text; live boolean; waits boolean; queued boolean; skipped boolean;
BEGIN
  SELECT s.when_waiting INTO mode FROM schedule s WHERE s.id = p_schedule AND s.next_at = p_due FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'changed'; END IF;
  UPDATE schedule SET next_at = p_next WHERE id = p_schedule;
  SELECT count(*) > 0, coalesce(bool_or(j.status = 'awaiting_input'), false) INTO live, waits
    FROM schedule_run r LEFT JOIN job j ON j.id = r.job_id AND j.run_id = r.run_id
    WHERE r.schedule_id = p_schedule AND r.state IN ('starting', 'running');
  queued := waits AND mode = 'queue' AND (SELECT count(*) < 10 FROM schedule_run r
    WHERE r.schedule_id = p_schedule AND r.state = 'starting' AND r.is_queued);
  skipped := live AND queued IS NOT TRUE;
  INSERT INTO schedule_run (schedule_id, due_at, state, reason, is_queued, attempt_at)
    VALUES (p_schedule, p_due, CASE WHEN skipped THEN 'skipped' ELSE 'starting' END,
      CASE WHEN skipped AND waits THEN 'The run before it waited for an answer.' WHEN skipped THEN p_skipped END,
      queued IS TRUE, CASE WHEN queued THEN clock_timestamp() + interval '10 years' END)
    ON CONFLICT DO NOTHING;
  RETURN CASE WHEN skipped THEN 'skipped' ELSE 'starting' END;
END $$;

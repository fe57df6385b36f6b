-- Records a run that a person starts now.
-- Outcomes: starting | live (a run is in progress) | missing (this owner has no such schedule).
CREATE OR REPLACE FUNCTION schedule_begin_manual_run(p_schedule uuid, p_owner int, p_due timestamptz)
RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM schedule s WHERE s.id = p_schedule AND s.owner_id = p_owner FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'missing'; END IF;
  PERFORM 1 FROM schedule_run r WHERE r.schedule_id = p_schedule
    AND (r.state IN ('starting', 'running') OR r.due_at = p_due);
  IF FOUND THEN RETURN 'live'; END IF;
  INSERT INTO schedule_run (schedule_id, due_at, is_manual, state, attempts, attempt_at)
    VALUES (p_schedule, p_due, true, 'starting', 1, clock_timestamp());
  RETURN 'starting';
END $$;

-- Writes how a run of a schedule ended, once, and counts failures in a row: the schedule is paused
-- at `p_max_failures` of them, or at once where its key is why. A cancelled run counts as neither.
-- Of the times that are queued the first may start then; a paused schedule skips them.
-- False where the run had ended before, or its schedule was deleted.
CREATE OR REPLACE FUNCTION schedule_end_run(p_schedule uuid, p_due timestamptz, p_state text, p_reason text,
  p_max_failures int, p_is_key boolean) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE s schedule; is_manual boolean; failed boolean := p_state IN ('failed', 'refused'); paused text;
BEGIN
  SELECT * INTO s FROM schedule WHERE id = p_schedule FOR NO KEY UPDATE;
  UPDATE schedule_run r SET state = p_state, reason = p_reason
    WHERE r.schedule_id = p_schedule AND r.due_at = p_due AND r.state IN ('starting', 'running')
    RETURNING r.is_manual INTO is_manual;
  IF NOT FOUND THEN RETURN false; END IF;
  IF p_state <> 'cancelled' AND NOT (is_manual AND failed) THEN
    paused := CASE WHEN s.paused_by IS NOT NULL OR NOT failed THEN NULL WHEN p_is_key THEN 'key'
      WHEN s.failures + 1 >= p_max_failures THEN 'failures' END;
    UPDATE schedule SET failures = CASE WHEN failed THEN s.failures + 1 ELSE 0 END,
      paused_by = coalesce(paused, paused_by), paused_reason = CASE WHEN paused IS NULL THEN paused_reason ELSE p_reason END,
      next_at = CASE WHEN paused IS NULL THEN next_at END,
      updated_at = CASE WHEN paused IS NULL THEN updated_at ELSE clock_timestamp() END
      WHERE id = p_schedule;
  END IF;
  IF coalesce(paused, s.paused_by) IS NOT NULL THEN
    UPDATE schedule_run SET state = 'skipped', is_queued = false, reason = 'The schedule was paused before it could start.'
      WHERE schedule_id = p_schedule AND state = 'starting' AND is_queued;
  ELSE
    UPDATE schedule_run SET is_queued = false, attempt_at = NULL WHERE (schedule_id, due_at) = (
      SELECT r.schedule_id, r.due_at FROM schedule_run r
      WHERE r.schedule_id = p_schedule AND r.state = 'starting' AND r.is_queued ORDER BY r.due_at LIMIT 1);
  END IF;
  RETURN true;
END $$;

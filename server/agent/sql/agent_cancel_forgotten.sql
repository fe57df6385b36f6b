-- Cancels runs whose answer did not come within `p_days`. Returns how many there were.
CREATE OR REPLACE FUNCTION agent_cancel_forgotten(p_days int, p_result text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE cancelled int;
BEGIN
  PERFORM agent_end(j.id, j.run_id, 'cancelled', p_result) FROM (
    SELECT f.id, f.run_id FROM job f
    WHERE f.status = 'awaiting_input' AND f.updated_at < now() - make_interval(days => p_days)
    ORDER BY f.id LIMIT 100 FOR NO KEY UPDATE SKIP LOCKED) j;
  GET DIAGNOSTICS cancelled = ROW_COUNT;
  RETURN cancelled;
END $$;

-- Notes that a process has stalled: each run it has the claim of has one stall more. Returns how
-- many there were.
CREATE OR REPLACE FUNCTION agent_mark_stalled(p_holder uuid) RETURNS int LANGUAGE plpgsql AS $$
DECLARE marked int;
BEGIN
  WITH claimed AS (
    SELECT id FROM job WHERE holder_id = p_holder AND status = 'running' ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE job SET stalls = stalls + 1, stalled_at = clock_timestamp() FROM claimed WHERE job.id = claimed.id;
  GET DIAGNOSTICS marked = ROW_COUNT;
  RETURN marked;
END $$;

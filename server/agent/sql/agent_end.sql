-- Ends a job's turn. The job's row is locked.
CREATE OR REPLACE FUNCTION agent_end(p_job uuid, p_run uuid, p_status text, p_result text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE job SET status = p_status, result = p_result, awaiting = NULL, tries = 0, stalls = 0, updated_at = clock_timestamp()
    WHERE id = p_job;
  UPDATE turn SET status = p_status, result = p_result, ended_at = clock_timestamp() WHERE run_id = p_run;
END $$;

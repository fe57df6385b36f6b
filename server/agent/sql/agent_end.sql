-- Ends a job's turn, and sums up what its list sorts by. The job's row is locked.
CREATE OR REPLACE FUNCTION agent_end(p_job uuid, p_run uuid, p_status text, p_result text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE job j SET status = p_status, result = p_result, awaiting = NULL, attempts = 0, stalls = 0, updated_at = clock_timestamp(),
      credits = coalesce((SELECT l.spent FROM spend_limit l WHERE l.id = p_job), 0), worked_ms = j.worked_ms + coalesce(
        (SELECT extract(epoch FROM clock_timestamp() - t.created_at) * 1000 FROM turn t WHERE t.run_id = p_run), 0)::bigint
    WHERE j.id = p_job;
  UPDATE turn SET status = p_status, result = p_result, ended_at = clock_timestamp() WHERE run_id = p_run;
END $$;

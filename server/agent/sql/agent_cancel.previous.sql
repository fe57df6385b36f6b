-- What processes of the previous release call: nobody is recorded as who cancelled.
CREATE OR REPLACE FUNCTION agent_cancel(p_job uuid, p_run uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM job j WHERE j.id = p_job AND j.run_id = p_run AND j.status IN ('running', 'awaiting_input')
    FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM agent_end(p_job, p_run, 'cancelled', NULL);
  RETURN true;
END $$;

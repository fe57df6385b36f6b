-- Ends a run that is live as cancelled by an operator, whoever has its claim, with a result that
-- says why. False when it is not live.
CREATE OR REPLACE FUNCTION agent_cancel_for(p_job uuid, p_run uuid, p_result text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM job j WHERE j.id = p_job AND j.run_id = p_run AND j.status IN ('running', 'awaiting_input')
    FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM agent_end(p_job, p_run, 'cancelled', p_result);
  UPDATE turn SET cancelled_by = 'the operator' WHERE run_id = p_run;
  RETURN true;
END $$;

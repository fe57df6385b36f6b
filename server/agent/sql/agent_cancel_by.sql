-- Ends a run that is live, whoever has its claim, and records who cancelled it: a key, a member by
-- their e-mail address, or without both the account. False when it is not live.
CREATE OR REPLACE FUNCTION agent_cancel_by(p_job uuid, p_run uuid, p_key int, p_by text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE owner_of_job int;
BEGIN
  SELECT j.owner_id INTO owner_of_job FROM job j
    WHERE j.id = p_job AND j.run_id = p_run AND j.status IN ('running', 'awaiting_input') FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM agent_end(p_job, p_run, 'cancelled', NULL);
  UPDATE turn SET cancelled_by = coalesce(p_by, agent_actor(owner_of_job, p_key)), cancelled_key_id = p_key WHERE run_id = p_run;
  RETURN true;
END $$;

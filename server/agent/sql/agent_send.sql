-- Sends a run to the workers, if it is live. With `p_is_lost` only if no message for it is waiting
-- or in progress.
CREATE OR REPLACE FUNCTION agent_send(p_job uuid, p_run uuid, p_is_lost boolean, p_send text, p_message text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM job j WHERE j.id = p_job AND j.run_id = p_run AND j.status = 'running' FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  IF p_is_lost AND EXISTS (SELECT 1 FROM pgboss.job m
    WHERE m.name = 'agent-runs' AND m.state < 'completed' AND m.singleton_key = p_job::text) THEN RETURN false; END IF;
  EXECUTE p_send USING p_message;
  RETURN true;
END $$;

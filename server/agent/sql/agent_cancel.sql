-- As agent_cancel_by, of a key or of the account.
CREATE OR REPLACE FUNCTION agent_cancel(p_job uuid, p_run uuid, p_key int) RETURNS boolean LANGUAGE sql AS $$
  SELECT agent_cancel_by(p_job, p_run, p_key, NULL)
$$;

-- Writes an answer to what a run asked, with who gave it and the step it becomes, if it becomes
-- one, and sends the run to the workers. False when the run does not ask that any more.
CREATE OR REPLACE FUNCTION agent_answer(p_job uuid, p_run uuid, p_answer jsonb, p_step jsonb, p_send text, p_message text)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE asked int := p_answer ->> 'index'; by_key int := p_answer ->> 'keyId'; owner_of_job int;
BEGIN
  SELECT j.owner_id INTO owner_of_job FROM job j WHERE j.id = p_job AND j.run_id = p_run AND j.status = 'awaiting_input'
    AND (j.awaiting ->> 'index')::int = asked FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO answer (job_id, index, approved, feedback, key_id, answered_by, scope, asked, input)
    VALUES (p_job, asked, (p_answer ->> 'approved')::boolean, p_answer ->> 'feedback', by_key,
      coalesce(p_answer ->> 'by', agent_actor(owner_of_job, by_key)), p_answer ->> 'scope',
      nullif(p_answer -> 'asked', 'null'), nullif(p_answer -> 'input', 'null'));
  IF p_step IS NOT NULL THEN
    INSERT INTO step (job_id, index, run_id, kind, name, input, output, error, started_at, ended_at)
      SELECT p_job, asked, p_run, s.kind, s.name, s.input, s.output, s.error, clock_timestamp(), clock_timestamp()
      FROM jsonb_to_record(p_step) AS s (kind text, name text, input jsonb, output jsonb, error jsonb);
  END IF;
  UPDATE job SET status = 'running', awaiting = NULL, attempts = 0, stalls = 0, updated_at = clock_timestamp(),
    step_count = step_count + (p_step IS NOT NULL)::int WHERE id = p_job;
  EXECUTE p_send USING p_message;
  RETURN true;
END $$;

-- Claims a run for a process: raises the fencing token, so that whoever had the claim can write
-- nothing more, counts an attempt of the step in progress, and voids every hold made under an older
-- token.
-- Outcomes: claimed | over (nothing to do)
--           | later (a call of the cancelled turn before is still in progress; waited for at most
--             `p_longest_call_s` seconds, and no longer than its process lives)
--           | isolate (this step stalled a process once: a separate process has to claim it)
CREATE OR REPLACE FUNCTION agent_claim(p_job uuid, p_run uuid, p_holder uuid, p_isolated boolean, p_longest_call_s int)
RETURNS TABLE (outcome text, owner_id int, fencing_token int, attempts int, stalls int, reached_by text)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE j job;
BEGIN
  SELECT * INTO j FROM job WHERE job.id = p_job FOR NO KEY UPDATE;
  IF j.id IS NULL OR j.run_id <> p_run OR j.status <> 'running' THEN
    outcome := 'over';
  ELSIF j.claimed_run_id <> p_run AND agent_has_live_call(p_job, p_longest_call_s) THEN
    outcome := 'later';
  ELSIF j.stalls = 1 AND NOT p_isolated THEN
    outcome := 'isolate';
  ELSE
    outcome := 'claimed';
    UPDATE job SET fencing_token = job.fencing_token + 1, claimed_run_id = p_run, holder_id = p_holder, attempts = job.attempts + 1,
      updated_at = clock_timestamp() WHERE job.id = p_job RETURNING * INTO j;
    PERFORM agent_void_holds(p_job);
  END IF;
  owner_id := j.owner_id; fencing_token := j.fencing_token; attempts := j.attempts; stalls := j.stalls; reached_by := j.reached_by;
  RETURN NEXT;
END $$;

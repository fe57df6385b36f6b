-- Raises what an owner's conversation may spend, so that one that reached its limit can go on.
-- `p_keeps`: later turns have it too, whatever their key says.
-- Outcomes: raised | missing (this owner has no such conversation)
--           | lower (it is not more than `cap`, what the conversation may spend now)
CREATE OR REPLACE FUNCTION agent_raise_limit(p_job uuid, p_owner int, p_cap bigint, p_keeps boolean)
RETURNS TABLE (outcome text, cap bigint)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE j job; t turn;
BEGIN
  SELECT * INTO j FROM job WHERE job.id = p_job AND job.owner_id = p_owner FOR NO KEY UPDATE;
  IF j.id IS NULL THEN outcome := 'missing'; RETURN NEXT; RETURN; END IF;
  SELECT * INTO t FROM turn WHERE turn.run_id = j.run_id;
  cap := t.cap_credits;
  IF p_cap <= cap THEN outcome := 'lower'; RETURN NEXT; RETURN; END IF;
  -- The limit of the run in progress stays, where it has one of its own.
  IF t.stop_at_credits IS NULL THEN
    UPDATE spend_limit l SET cap = p_cap WHERE l.id = p_job;
    UPDATE job SET reached_by = NULL WHERE job.id = p_job AND job.reached_by = 'conversation';
  END IF;
  UPDATE turn SET cap_credits = p_cap WHERE turn.run_id = j.run_id;
  UPDATE job SET raised_cap_credits = CASE WHEN p_keeps THEN p_cap ELSE job.raised_cap_credits END,
    updated_at = clock_timestamp() WHERE job.id = p_job;
  outcome := 'raised'; cap := p_cap;
  RETURN NEXT;
END $$;

-- Copies into the conversation of a run what came before it in the job that it takes over: the
-- turns before its own, with their steps, and of the turn that it repeats the steps before
-- `from_step`. They were paid there, so here they cost nothing and have no receipt.
CREATE OR REPLACE FUNCTION agent_take_over(p_owner int, p_run uuid) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE mine turn; last_step int;
BEGIN
  SELECT * INTO mine FROM turn WHERE run_id = p_run AND owner_id = p_owner;
  SELECT coalesce(mine.from_step, min(s.index)) INTO last_step
    FROM turn w JOIN step s ON s.job_id = w.job_id AND s.run_id = w.run_id
    WHERE w.job_id = mine.rerun_of AND w.owner_id = p_owner AND w.number = mine.number;
  INSERT INTO turn (run_id, job_id, owner_id, number, key_id, idempotency_key, goal, mode, model, agent, capabilities,
      cap_credits, history_turn_limit, output_schema, output, origin, started_by, person_id, status, result, attachments,
      metadata, customer_id, created_at, ended_at, rerun_of)
    SELECT gen_random_uuid(), mine.job_id, p_owner, w.number, w.key_id, 'rerun/' || p_run || '/' || w.number, w.goal, w.mode,
      w.model, w.agent, w.capabilities, w.cap_credits, w.history_turn_limit, w.output_schema, w.output, w.origin, w.started_by,
      w.person_id, w.status, w.result, w.attachments, w.metadata, w.customer_id, w.created_at, w.ended_at, mine.rerun_of
    FROM turn w WHERE w.job_id = mine.rerun_of AND w.owner_id = p_owner AND w.number < mine.number;
  INSERT INTO step (job_id, index, run_id, kind, name, charged, input, output, error, started_at, ended_at)
    SELECT mine.job_id, s.index, own.run_id, s.kind, s.name, 0, s.input, s.output, s.error, s.started_at, s.ended_at
    FROM turn w JOIN step s ON s.job_id = w.job_id AND s.run_id = w.run_id
      JOIN turn own ON own.job_id = mine.job_id AND own.number = w.number
    WHERE w.job_id = mine.rerun_of AND w.owner_id = p_owner AND (w.number < mine.number OR w.number = mine.number
      AND s.index < last_step);
  -- Without their scope: who approved later calls of that run did not approve those of this one.
  INSERT INTO answer (job_id, index, approved, feedback, key_id, answered_by, asked, input, at)
    SELECT mine.job_id, a.index, a.approved, a.feedback, a.key_id, a.answered_by, a.asked, a.input, a.at
    FROM answer a JOIN job j ON j.id = a.job_id
    WHERE a.job_id = mine.rerun_of AND j.owner_id = p_owner AND a.index < last_step;
END $$;

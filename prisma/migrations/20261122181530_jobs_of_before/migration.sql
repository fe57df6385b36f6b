-- By hand: jobs of before get what lists filter and sort by, and answers who gave them, as far as it
-- is known. Alone in its migration, so that it locks the rows it changes and no table.
UPDATE answer a SET answered_by = agent_actor(j.owner_id, a.key_id) FROM job j WHERE j.id = a.job_id;

UPDATE turn t SET origin = 'schedule' FROM schedule_run r WHERE r.run_id = t.run_id;

UPDATE job j SET key_id = t.key_id, mode = t.mode, origin = t.origin, credits = coalesce(l.spent, 0),
    worked_ms = w.ms, words = array_to_tsvector(array_prepend('owner:' || j.owner_id, agent_words(w.goals)))
  FROM turn t
    LEFT JOIN spend_limit l ON l.id = t.job_id,
    LATERAL (
      SELECT coalesce(sum(extract(epoch FROM e.ended_at - e.created_at) * 1000), 0)::bigint AS ms,
        string_agg(left(e.goal, 4000), ' ' ORDER BY e.number) AS goals
      FROM turn e WHERE e.job_id = t.job_id) w
  WHERE t.run_id = j.run_id;

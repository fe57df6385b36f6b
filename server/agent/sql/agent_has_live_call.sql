-- Whether a call of this conversation is still in progress: its hold is no older than the longest
-- call, and the process that took it is not known to be dead (see credits_dead_holds).
CREATE OR REPLACE FUNCTION agent_has_live_call(p_job uuid, p_longest_call_s int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE is_renewed boolean;
BEGIN
  SELECT bool_or(coalesce(p.lease_until > now(), false)) INTO is_renewed FROM hold h LEFT JOIN holder p ON p.id = h.holder_id
    WHERE h.limit_id = p_job AND h.created_at > now() - make_interval(secs => p_longest_call_s);
  RETURN CASE WHEN is_renewed IS NULL THEN false WHEN is_renewed THEN true
    ELSE credits_tick() > now() - interval '25 seconds' END;
END $$;

-- Charges a call that was delivered although its hold had been swept: its process was cut off. Its
-- limits have not kept anything free for it since, so it is charged as far as they allow now. What
-- the sweep made of its receipt and its Idempotency-Key is then as if it had been settled in time.
-- Outcomes: done | again (it was charged before: the first charge) | unknown (no such receipt)
--           | expired (charged 0: its caller has read that it failed, or has repeated it)
-- `limited` is the limit that left less than a metered call cost.
CREATE OR REPLACE FUNCTION credits_settle_late(
  p_id uuid, p_actual bigint, p_extend boolean, p_status text, p_detail jsonb, p_reply_status int, p_reply_answer text
) RETURNS TABLE (outcome text, charged bigint, held bigint, limited text) LANGUAGE plpgsql AS $$
DECLARE
  r receipt; sent jsonb; wanted bigint; free bigint; is_dry boolean; is_now boolean;
BEGIN
  outcome := 'unknown'; charged := 0; held := 0;
  SELECT * INTO r FROM receipt c WHERE c.id = p_id;
  IF NOT FOUND THEN RETURN NEXT; RETURN; END IF;
  PERFORM limits_lock(r);
  SELECT * INTO r FROM receipt c WHERE c.id = p_id;
  outcome := 'again'; charged := r.charged; held := r.held;
  IF r.status <> 'expired' THEN RETURN NEXT; RETURN; END IF;

  sent := r.detail -> 'idempotency';
  PERFORM 1 FROM mcp_task t WHERE t.id = p_id FOR UPDATE;
  IF NOT EXISTS (SELECT 1 FROM account a WHERE a.owner_id = r.owner_id) OR EXISTS (SELECT 1 FROM idempotency i WHERE i.key_id = r.key_id AND i.token = sent ->> 'token')
    OR EXISTS (SELECT 1 FROM mcp_task t WHERE t.id = p_id AND t.is_lost)
  THEN
    outcome := 'expired'; RETURN NEXT; RETURN;
  END IF;

  -- In a window or day that began since, nothing of it counts; beyond its hold it takes nothing
  -- then.
  SELECT min(x.left) FILTER (WHERE (r.started_at >= x.starts_at) IS NOT FALSE), bool_and((r.started_at >= x.starts_at) IS NOT FALSE)
    INTO free, is_now FROM limits_of(r) x;
  wanted := greatest(0, CASE WHEN p_extend AND is_now THEN p_actual ELSE least(p_actual, r.held) END);
  free := greatest(0, free); outcome := 'done'; charged := least(wanted, free);
  IF p_extend AND charged < p_actual THEN
    SELECT x.source INTO limited FROM limits_of(r) x WHERE (r.started_at >= x.starts_at) IS NOT FALSE ORDER BY x.left LIMIT 1;
  END IF;
  IF charged > 0 THEN
    PERFORM ledger_write(r.owner_id, -charged, r.id, r.key_id, NULL);
    PERFORM limits_recount(r, charged);
  END IF;
  IF wanted > charged THEN
    p_detail := coalesce(p_detail, '{}')
      || jsonb_build_object('loss', coalesce((p_detail ->> 'loss')::bigint, 0) + wanted - charged);
  END IF;
  p_detail := coalesce(p_detail, '{}') || jsonb_strip_nulls(jsonb_build_object('customerId', r.customer_id, 'limits', r.detail -> 'limits'));
  UPDATE receipt c SET charged = credits_settle_late.charged, status = p_status, detail = nullif(p_detail, '{}') WHERE c.id = p_id;
  PERFORM receipt_seal_again(p_id);
  IF sent IS NOT NULL AND p_reply_status IS NOT NULL AND (charged > 0 OR p_status = 'ok') THEN
    -- As in credits_batch: of a call that exhausted the credits, only the limit is stored.
    is_dry := limited IS NOT NULL AND p_reply_status < 400;
    p_reply_answer := CASE WHEN is_dry THEN limited ELSE p_reply_answer END;
    p_reply_status := CASE WHEN is_dry THEN 402 ELSE p_reply_status END;
    INSERT INTO idempotency (key_id, token, body_hash, hold_id, status, answer, charged, seal)
      VALUES (r.key_id, sent ->> 'token', decode(sent ->> 'body', 'hex'), r.id, p_reply_status, p_reply_answer, charged,
        response_seal(r.id, decode(sent ->> 'body', 'hex'), p_reply_status, p_reply_answer, charged));
    INSERT INTO idempotency_hour AS y (owner_id, hour, bytes)
      VALUES (r.owner_id, date_trunc('hour', now()), octet_length(p_reply_answer))
      ON CONFLICT ON CONSTRAINT idempotency_hour_pkey DO UPDATE SET bytes = y.bytes + excluded.bytes;
  END IF;
  UPDATE mcp_task t SET ended_at = clock_timestamp() WHERE t.id = p_id AND t.ended_at IS NULL;
  RETURN NEXT;
END $$;

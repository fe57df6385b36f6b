-- What processes of release 0.1.0 call: they know no budgets, so that their calls count against
-- none.
CREATE OR REPLACE FUNCTION credits_batch(
  p_hash bytea[], p_owner_rpm int,
  p_ended uuid[], p_actual bigint[], p_extend boolean[], p_status text[], p_detail jsonb[], p_reply_status int[],
  p_reply_answer text[],
  p_holder uuid, p_id uuid[], p_owner int[], p_key int[], p_limit uuid[], p_least bigint[], p_most bigint[], p_remaining bigint[],
  p_channel text[], p_product text[], p_what text[], p_token text[], p_body bytea[], p_max_calls int,
  p_after int[], p_version int[]
) RETURNS TABLE (
  n int, settled text, state text, outcome text, amount bigint, held bigint, limited text,
  reply_status int, reply_answer text, reply_charged bigint,
  key_id int, owner_id int, rpm int, remaining int, reset_s int, grants_version int, reason text
) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT b.n, b.settled, b.state, b.outcome, b.amount, b.held, b.limited, b.reply_status, b.reply_answer, b.reply_charged,
      b.key_id, b.owner_id, b.rpm, b.remaining, b.reset_s, b.grants_version, b.reason
    FROM credits_batch(p_hash, p_owner_rpm, p_ended, p_actual, p_extend, p_status, p_detail, p_reply_status, p_reply_answer,
      p_holder, p_id, p_owner, p_key, p_limit, p_least, p_most, p_remaining, p_channel, p_product, p_what, p_token, p_body,
      p_max_calls, p_after, p_version, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}',
      '{}') b;
END $$;

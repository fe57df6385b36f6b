-- Called by processes of the previous release only; credits_batch does the same. To be dropped in
-- the next release.
CREATE OR REPLACE FUNCTION credits_reserve(
  p_holder uuid, p_id uuid[], p_owner int[], p_key int[], p_limit uuid[],
  p_least bigint[], p_most bigint[], p_spare bigint[],
  p_door text[], p_product text[], p_what text[], p_token text[], p_body bytea[], p_max_calls int DEFAULT NULL
) RETURNS TABLE (n int, outcome text, amount bigint, reply_status int, reply_answer text, reply_charged bigint)
LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT b.n, b.outcome, b.amount, b.reply_status, b.reply_answer, b.reply_charged
    FROM credits_batch('{}', NULL, '{}', '{}', '{}', '{}', '{}', '{}', '{}', p_holder, p_id, p_owner, p_key, p_limit, p_least,
      p_most, p_spare, p_door, p_product, p_what, p_token, p_body, p_max_calls, '{}', '{}') b;
END $$;

-- Ends holds as `credits_batch` does, for what does so alone: steps of agent runs, sweeps.
CREATE OR REPLACE FUNCTION credits_settle(
  p_id uuid[], p_actual bigint[], p_extend boolean[], p_status text[], p_detail jsonb[],
  p_reply_status int[], p_reply_answer text[]
) RETURNS TABLE (n int, outcome text, charged bigint, held bigint, limited text)
LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT b.n, b.settled, b.amount, b.held, b.limited
    FROM credits_batch('{}', NULL, p_id, p_actual, p_extend, p_status, p_detail, p_reply_status, p_reply_answer,
      NULL, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', NULL, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}',
      '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}') b;
END $$;

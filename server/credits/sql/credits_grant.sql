-- Adds credits (or, negative, takes back what is still available). Returns the new available
-- balance, or NULL when a correction exceeds it. What there was after credits were added is what
-- notices count percentages of.
CREATE OR REPLACE FUNCTION credits_grant(p_owner int, p_amount bigint, p_note text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE balance bigint;
BEGIN
  INSERT INTO account (owner_id, available, held) VALUES (p_owner, 0, 0) ON CONFLICT (owner_id) DO NOTHING;
  UPDATE account SET available = available + p_amount,
      topped_up = CASE WHEN p_amount > 0 THEN available + held + p_amount ELSE topped_up END,
      topped_up_at = CASE WHEN p_amount > 0 THEN clock_timestamp() ELSE topped_up_at END
    WHERE owner_id = p_owner AND available + p_amount >= 0
    RETURNING available INTO balance;
  IF balance IS NOT NULL THEN
    PERFORM ledger_write(p_owner, p_amount, NULL, NULL, p_note);
  END IF;
  RETURN balance;
END $$;

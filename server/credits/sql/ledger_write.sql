-- Writes a ledger row, and continues the hash over those of its account, which its caller has
-- locked.
CREATE OR REPLACE FUNCTION ledger_write(p_owner int, p_amount bigint, p_hold uuid, p_key int, p_note text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE written_at timestamptz := date_trunc('milliseconds', clock_timestamp());
BEGIN
  UPDATE account a SET chain = ledger_link(a.chain, p_owner, written_at, p_amount, p_hold, p_key, p_note)
    WHERE a.owner_id = p_owner;
  INSERT INTO ledger (at, amount, hold_id, owner_id, key_id, note) VALUES (written_at, p_amount, p_hold, p_owner, p_key, p_note);
END $$;

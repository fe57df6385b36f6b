-- Locks every limit that a receipt counts against.
CREATE OR REPLACE FUNCTION limits_lock(r receipt) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM spend_limit s WHERE s.id = ANY (limits_named(r)) ORDER BY s.id FOR NO KEY UPDATE;
  PERFORM 1 FROM "key" y WHERE y.id = r.key_id FOR NO KEY UPDATE;
  PERFORM 1 FROM account a WHERE a.owner_id = r.owner_id FOR NO KEY UPDATE;
END $$;

-- Takes a call's charge back, once: a positive ledger row, the receipt at 0 with `p_status`.
-- Returns what was given back: 0 when nothing was charged, or when it was given back before.
CREATE OR REPLACE FUNCTION credits_refund(p_id uuid, p_status text, p_note text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE r receipt;
BEGIN
  SELECT c.* INTO r FROM receipt c WHERE c.id = p_id;
  IF NOT FOUND THEN RETURN 0; END IF;
  PERFORM limits_lock(r);
  SELECT c.* INTO r FROM receipt c WHERE c.id = p_id;
  IF r.charged = 0 THEN RETURN 0; END IF;
  PERFORM ledger_write(r.owner_id, r.charged, r.id, r.key_id, p_note);
  UPDATE receipt c SET charged = 0, status = coalesce(p_status, c.status),
    detail = coalesce(c.detail, '{}') || jsonb_build_object('refunded', r.charged) WHERE c.id = p_id;
  PERFORM receipt_seal_again(p_id);
  PERFORM limits_recount(r, 0);
  DELETE FROM idempotency i WHERE i.hold_id = p_id;
  RETURN r.charged;
END $$;

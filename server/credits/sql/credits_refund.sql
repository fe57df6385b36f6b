-- Takes a call's charge back, once: a positive ledger row, the receipt at 0 with `p_status`.
-- Returns what was given back: 0 when nothing was charged, or when it was given back before.
CREATE OR REPLACE FUNCTION credits_refund(p_id uuid, p_status text, p_note text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE r receipt;
BEGIN
  SELECT c.* INTO r FROM receipt c WHERE c.id = p_id;
  IF NOT FOUND THEN RETURN 0; END IF;
  PERFORM 1 FROM spend_limit s WHERE s.id = r.limit_id FOR NO KEY UPDATE;
  PERFORM 1 FROM "key" y WHERE y.id = r.key_id FOR NO KEY UPDATE;
  PERFORM 1 FROM account a WHERE a.owner_id = r.owner_id FOR NO KEY UPDATE;
  SELECT c.* INTO r FROM receipt c WHERE c.id = p_id;
  IF r.charged = 0 THEN RETURN 0; END IF;
  PERFORM ledger_write(r.owner_id, r.charged, r.id, r.key_id, p_note);
  UPDATE receipt c SET charged = 0, status = coalesce(p_status, c.status),
    detail = coalesce(c.detail, '{}') || jsonb_build_object('refunded', r.charged) WHERE c.id = p_id;
  PERFORM receipt_seal_again(p_id);
  UPDATE spend_limit s SET spent = s.spent - r.charged WHERE s.id = r.limit_id;
  UPDATE "key" y SET spent = y.spent - r.charged,
    period_spent = y.period_spent - charged_in_period(r, y.period_start, r.charged) WHERE y.id = r.key_id;
  UPDATE account a SET available = a.available + r.charged,
    day_spent = a.day_spent - charged_in_period(r, a.day_start, r.charged) WHERE a.owner_id = r.owner_id;
  DELETE FROM idempotency i WHERE i.hold_id = p_id;
  RETURN r.charged;
END $$;

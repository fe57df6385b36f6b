-- Gives back a finished call's charge, or `p_credits` of it, once: a positive ledger row, and what
-- the charge had taken from the balance, from the key's budgets and from the conversation's spend
-- limit. Unlike credits_refund, which undoes a call that was never answered, the receipt keeps its
-- status and a stored response stays: a repeat of the request is answered and not run again.
-- Outcomes: done | again (it was refunded before: the first refund) | more (than was charged)
--           | uncharged (there is nothing to give back) | unknown (no such receipt)
CREATE OR REPLACE FUNCTION credits_refund_call(p_id uuid, p_credits bigint, p_note text)
RETURNS TABLE (outcome text, credits bigint, owner_id int) LANGUAGE plpgsql AS $$
DECLARE r receipt;
BEGIN
  SELECT * INTO r FROM receipt c WHERE c.id = p_id;
  outcome := 'unknown'; credits := 0;
  IF NOT FOUND THEN RETURN NEXT; RETURN; END IF;
  PERFORM 1 FROM spend_limit s WHERE s.id = r.limit_id FOR NO KEY UPDATE;
  PERFORM 1 FROM "key" y WHERE y.id = r.key_id FOR NO KEY UPDATE;
  PERFORM 1 FROM account a WHERE a.owner_id = r.owner_id FOR NO KEY UPDATE;
  SELECT * INTO r FROM receipt c WHERE c.id = p_id;
  owner_id := r.owner_id;
  SELECT l.amount INTO credits FROM ledger l WHERE l.hold_id = p_id AND l.amount > 0;
  IF FOUND THEN
    outcome := 'again';
  ELSIF r.charged = 0 THEN
    outcome := 'uncharged'; credits := 0;
  ELSIF p_credits > r.charged THEN
    outcome := 'more'; credits := r.charged;
  ELSE
    outcome := 'done'; credits := coalesce(p_credits, r.charged);
    PERFORM ledger_write(r.owner_id, credits, r.id, r.key_id, p_note);
    UPDATE receipt c SET charged = c.charged - credits,
      detail = coalesce(c.detail, '{}') || jsonb_build_object('refunded', credits) WHERE c.id = p_id;
    PERFORM receipt_seal_again(p_id);
    UPDATE spend_limit s SET spent = s.spent - credits WHERE s.id = r.limit_id;
    UPDATE "key" y SET spent = y.spent - credits,
      period_spent = y.period_spent - charged_in_period(r, y.period_start, r.charged)
        + charged_in_period(r, y.period_start, r.charged - credits)
      WHERE y.id = r.key_id;
    UPDATE account a SET available = a.available + credits,
      day_spent = a.day_spent - charged_in_period(r, a.day_start, r.charged)
        + charged_in_period(r, a.day_start, r.charged - credits)
      WHERE a.owner_id = r.owner_id;
  END IF;
  RETURN NEXT;
END $$;

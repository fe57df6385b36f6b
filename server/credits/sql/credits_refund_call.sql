-- Gives back a finished call's charge, or `p_credits` of it, once: a positive ledger row, and what
-- the charge had taken from each of its limits. Unlike credits_refund, which undoes a call that was
-- never answered, the receipt keeps its status and a stored response stays: a repeat of the request
-- is answered and not run again.
-- Outcomes: done | again (it was refunded before: the first refund) | more (than was charged)
--           | uncharged (there is nothing to give back) | unknown (no such receipt)
CREATE OR REPLACE FUNCTION credits_refund_call(p_id uuid, p_credits bigint, p_note text)
RETURNS TABLE (outcome text, credits bigint, owner_id int) LANGUAGE plpgsql AS $$
DECLARE r receipt;
BEGIN
  SELECT * INTO r FROM receipt c WHERE c.id = p_id;
  outcome := 'unknown'; credits := 0;
  IF NOT FOUND THEN RETURN NEXT; RETURN; END IF;
  PERFORM limits_lock(r);
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
    PERFORM limits_recount(r, r.charged - credits);
  END IF;
  RETURN NEXT;
END $$;

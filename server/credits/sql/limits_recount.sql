-- Counts a receipt under each of its limits as charged `p_charged`, in place of what it says. Its
-- caller has locked them, and writes ledger and receipt.
CREATE OR REPLACE FUNCTION limits_recount(r receipt, p_charged bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE spend_limit s SET spent = s.spent + CASE WHEN s.starts_at IS NULL THEN p_charged - r.charged
      ELSE charged_in_period(r, s.starts_at, p_charged) - charged_in_period(r, s.starts_at, r.charged) END
    WHERE s.id = ANY (limits_named(r));
  UPDATE "key" y SET spent = y.spent + p_charged - r.charged, period_spent = y.period_spent
      + charged_in_period(r, y.period_start, p_charged) - charged_in_period(r, y.period_start, r.charged) WHERE y.id = r.key_id;
  UPDATE account a SET available = a.available + r.charged - p_charged, day_spent = a.day_spent
      + charged_in_period(r, a.day_start, p_charged) - charged_in_period(r, a.day_start, r.charged) WHERE a.owner_id = r.owner_id;
END $$;

-- The limits that a receipt counts against, as rows: those that end a call first come first where
-- they leave the same. `left` is what a call may still take; NULL: any amount.
CREATE OR REPLACE FUNCTION limits_of(r receipt) RETURNS TABLE (source text, starts_at timestamptz, "left" bigint)
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN s.budget_id IS NULL THEN 'conversation' ELSE 'budget' END, s.starts_at, s.cap - s.spent - s.held
    FROM spend_limit s WHERE s.id = ANY (limits_named(r))
  UNION ALL SELECT 'key_budget', NULL, y.budget - y.spent - y.held FROM "key" y WHERE y.id = r.key_id
  UNION ALL SELECT 'balance', NULL, a.available FROM account a WHERE a.owner_id = r.owner_id
  UNION ALL SELECT 'key_period', y.period_start, y.period_budget - y.period_spent - y.period_held FROM "key" y WHERE y.id = r.key_id
  UNION ALL SELECT 'account_day', a.day_start, a.day_credits - a.day_spent - a.day_held FROM account a WHERE a.owner_id = r.owner_id
$$;

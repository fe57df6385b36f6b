-- Makes the rows of customers that a budget counts one by one, where they are missing: the first
-- call that names a customer needs one. `p_row` are their ids.
CREATE OR REPLACE FUNCTION limits_of_customers(p_row uuid[], p_budget uuid[], p_customer int[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM unnest(p_row, p_customer) u (id, customer)
    WHERE u.customer IS NOT NULL AND NOT EXISTS (SELECT 1 FROM spend_limit s WHERE s.id = u.id))
  THEN
    -- Whoever changes a budget changes it before its rows, or waits for those that are made here.
    PERFORM 1 FROM budget b WHERE b.id = ANY (p_budget) ORDER BY b.id FOR SHARE;
    INSERT INTO spend_limit (id, owner_id, cap, budget_id, customer_id, name, period, starts_at, ends_at)
      SELECT DISTINCT ON (u.id) u.id, b.owner_id, b.credits, b.id, u.customer, b.name, b.period, w.begins, w.ends
      FROM unnest(p_row, p_budget, p_customer) u (id, budget, customer) JOIN budget b ON b.id = u.budget JOIN owner o ON o.id = b.owner_id
      LEFT JOIN LATERAL budget_period(b.period, o.time_zone, clock_timestamp()) w ON b.period IS NOT NULL
      WHERE u.customer IS NOT NULL ORDER BY u.id
      ON CONFLICT (id) DO NOTHING;
  END IF;
END $$;

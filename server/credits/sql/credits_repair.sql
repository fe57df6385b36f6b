-- Makes what an owner's holds, ledger and receipts say of its limits, keys and balance anew. Its
-- caller has made sure that the ledger is as it was written. A number that a check does not allow
-- (less than nothing, more than a budget) is left as it is.
CREATE OR REPLACE FUNCTION credits_repair(p_owner int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM spend_limit s WHERE s.owner_id = p_owner ORDER BY s.id FOR NO KEY UPDATE;
  PERFORM 1 FROM "key" k WHERE k.owner_id = p_owner ORDER BY k.id FOR NO KEY UPDATE;
  PERFORM 1 FROM account a WHERE a.owner_id = p_owner FOR NO KEY UPDATE;
  UPDATE spend_limit s SET held = n.held, spent = n.spent FROM (
      SELECT x.id, coalesce(h.sum, 0) AS held, coalesce(r.sum, 0) + coalesce(d.charged, 0) AS spent FROM spend_limit x
      LEFT JOIN (SELECT u.id, sum(y.amount) FROM hold y CROSS JOIN LATERAL unnest(y.limit_id || y.limits) u (id)
        JOIN spend_limit l ON l.id = u.id AND (y.created_at >= l.starts_at) IS NOT FALSE WHERE y.owner_id = p_owner GROUP BY u.id) h ON h.id = x.id
      LEFT JOIN (SELECT u.id, sum(CASE WHEN l.starts_at IS NULL THEN c.charged ELSE charged_in_period(c, l.starts_at, c.charged) END)
        FROM receipt c CROSS JOIN LATERAL unnest(limits_named(c)) u (id) JOIN spend_limit l ON l.id = u.id
        WHERE c.owner_id = p_owner AND (c.limit_id IS NOT NULL OR c.detail ? 'limits') GROUP BY u.id) r ON r.id = x.id
      LEFT JOIN deleted_spend d ON d.limit_id = x.id AND x.starts_at IS NULL WHERE x.owner_id = p_owner
        AND (x.starts_at >= coalesce((SELECT cutoff FROM retention WHERE name = 'receipts'), '-infinity')) IS NOT FALSE) n
    WHERE s.id = n.id AND (s.held, s.spent) <> (n.held, n.spent) AND (s.budget_id IS NOT NULL OR n.spent + n.held <= s.cap);
  UPDATE "key" k SET held = n.held, spent = n.spent FROM (
      SELECT x.id, coalesce(h.sum, 0) AS held, coalesce(l.sum, 0) AS spent FROM "key" x
      LEFT JOIN (SELECT key_id, sum(amount) FROM hold WHERE owner_id = p_owner GROUP BY key_id) h ON h.key_id = x.id
      LEFT JOIN (SELECT key_id, -sum(amount) AS sum FROM ledger WHERE owner_id = p_owner GROUP BY key_id) l ON l.key_id = x.id
      WHERE x.owner_id = p_owner) n
    WHERE k.id = n.id AND (k.held, k.spent) <> (n.held, n.spent) AND n.spent >= 0
      AND (k.budget IS NULL OR n.spent + n.held <= k.budget);
  -- As `key_period` of ledger verify: only of windows whose receipts are all kept.
  UPDATE "key" k SET period_held = n.held, period_spent = n.spent FROM (
      SELECT x.id, coalesce(h.sum, 0) AS held, coalesce(r.sum, 0) AS spent FROM "key" x
      LEFT JOIN LATERAL (SELECT sum(charged_in_period(c, x.period_start, c.charged)) FROM receipt c
        WHERE c.key_id = x.id AND c.at >= x.period_start) r ON true
      LEFT JOIN LATERAL (SELECT sum(amount) FROM hold WHERE key_id = x.id AND created_at >= x.period_start) h ON true
      WHERE x.owner_id = p_owner
        AND x.period_start >= coalesce((SELECT cutoff FROM retention WHERE name = 'receipts'), '-infinity')) n
    WHERE k.id = n.id AND (k.period_held, k.period_spent) <> (n.held, n.spent) AND n.spent + n.held <= k.period_budget;
  UPDATE account a SET day_held = n.held, day_spent = n.spent FROM (
      SELECT x.owner_id, coalesce((SELECT sum(h.amount) FROM hold h WHERE h.owner_id = p_owner AND h.created_at >= x.day_start), 0) AS held,
        coalesce((SELECT sum(charged_in_period(c, x.day_start, c.charged)) FROM receipt c
          WHERE c.owner_id = p_owner AND c.at >= x.day_start), 0) AS spent
      FROM account x WHERE x.owner_id = p_owner
        AND x.day_start >= coalesce((SELECT cutoff FROM retention WHERE name = 'receipts'), '-infinity')) n
    WHERE a.owner_id = n.owner_id AND (a.day_held, a.day_spent) <> (n.held, n.spent);
  UPDATE account a SET held = n.held, available = n.total - n.held, calls = n.calls FROM (
      SELECT (SELECT coalesce(sum(l.amount), 0) FROM ledger l WHERE l.owner_id = p_owner) AS total,
        coalesce(sum(h.amount), 0) AS held, coalesce(sum(coalesce(h.calls, 1)) FILTER (WHERE h.channel <> 'agent'), 0) AS calls
      FROM hold h WHERE h.owner_id = p_owner) n
    WHERE a.owner_id = p_owner AND (a.held, a.available, a.calls) <> (n.held, n.total - n.held, n.calls) AND n.total >= n.held;
END $$;

-- A limit as a refusal shows it: `p_limit` is its row of spend_limit, if it has one. `row` says
-- which that is where a budget has one for each customer.
CREATE OR REPLACE FUNCTION limit_shown(
  p_limit uuid, p_key int, p_source text, p_cap bigint, p_spent bigint, p_held bigint, p_ends timestamptz
) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'id', CASE p_source WHEN 'balance' THEN 'balance' WHEN 'account_day' THEN 'day' WHEN 'key_budget' THEN 'key:' || p_key
      WHEN 'key_period' THEN 'key:' || p_key || ':' || k.period ELSE coalesce(s.budget_id, p_limit)::text END,
    'row', p_limit,
    'name', CASE p_source WHEN 'balance' THEN 'Balance' WHEN 'account_day' THEN 'Daily limit' WHEN 'conversation' THEN 'Conversation'
      WHEN 'budget' THEN s.name ELSE k.name END,
    'window', CASE p_source WHEN 'account_day' THEN 'day' WHEN 'key_period' THEN k.period WHEN 'budget' THEN coalesce(s.period, 'lifetime')
      ELSE 'lifetime' END,
    'cap', p_cap, 'spent', p_spent, 'held', p_held, 'resetsAt', p_ends)
  FROM (SELECT) one LEFT JOIN "key" k ON k.id = p_key LEFT JOIN spend_limit s ON s.id = p_limit
$$;

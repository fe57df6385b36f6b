-- Makes the sums of an owner's receipts of a UTC day anew, and those of its month from its days.
CREATE OR REPLACE FUNCTION usage_repair(p_owner int, p_day date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  starts timestamptz := p_day::timestamp AT TIME ZONE 'UTC'; ends timestamptz := starts + interval '24 hours';
  first_day date := date_trunc('month', p_day); summed timestamptz;
BEGIN
  PERFORM 1 FROM account a WHERE a.owner_id = p_owner FOR NO KEY UPDATE;
  SELECT s.until INTO summed FROM usage_summed s FOR UPDATE;
  DELETE FROM usage_hour u WHERE u.owner_id = p_owner AND u.hour >= starts AND u.hour < ends;
  INSERT INTO usage_hour (owner_id, key_id, hour, channel, product, what, outcome, calls, charged, input_tokens, output_tokens)
    SELECT p_owner, k.id, date_trunc('hour', r.at, 'UTC'), r.channel, r.product, r.what, usage_outcome(r.status, r.charged),
      count(*), sum(r.charged), sum(usage_tokens(r.product, r.detail, 'inputTokens')),
      sum(usage_tokens(r.product, r.detail, 'outputTokens'))
    FROM receipt r CROSS JOIN LATERAL unnest(ARRAY[-1, coalesce(r.key_id, 0)]) AS k (id)
    WHERE r.owner_id = p_owner AND r.at >= starts AND r.at < least(ends, summed) GROUP BY 2, 3, 4, 5, 6, 7;
  DELETE FROM usage_customer_hour u WHERE u.owner_id = p_owner AND u.hour >= starts AND u.hour < ends;
  INSERT INTO usage_customer_hour (owner_id, hour, customer_id, key_id, product, what, calls, charged)
    SELECT p_owner, date_trunc('hour', r.at, 'UTC'), r.customer_id, coalesce(r.key_id, 0), r.product, r.what, count(*), sum(r.charged)
    FROM receipt r WHERE r.owner_id = p_owner AND r.at >= starts AND r.at < least(ends, summed) AND r.customer_id IS NOT NULL
    GROUP BY 2, 3, 4, 5, 6;
  DELETE FROM usage_key_day u WHERE u.owner_id = p_owner AND u.day = p_day;
  INSERT INTO usage_key_day (owner_id, day, key_id, calls, charged)
    SELECT p_owner, p_day, u.key_id, sum(u.calls), sum(u.charged) FROM usage_hour u
    WHERE u.owner_id = p_owner AND u.key_id >= 0 AND u.hour >= starts AND u.hour < ends GROUP BY u.key_id;
  DELETE FROM usage_key_month u WHERE u.owner_id = p_owner AND u.month = first_day;
  INSERT INTO usage_key_month (owner_id, month, key_id, calls, charged)
    SELECT p_owner, first_day, u.key_id, sum(u.calls), sum(u.charged) FROM usage_key_day u
    WHERE u.owner_id = p_owner AND u.day >= first_day AND u.day < first_day + interval '1 month' GROUP BY u.key_id;
END $$;

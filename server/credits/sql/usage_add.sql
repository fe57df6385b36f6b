-- Adds a receipt to the sums `p_times` times: 1, or -1 to take it out.
CREATE OR REPLACE FUNCTION usage_add(p_receipt receipt, p_times int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_hour AS u (owner_id, key_id, hour, channel, product, what, outcome, calls, charged, input_tokens, output_tokens)
    SELECT p_receipt.owner_id, k.id, date_trunc('hour', p_receipt.at, 'UTC'), p_receipt.channel, p_receipt.product, p_receipt.what,
      usage_outcome(p_receipt.status, p_receipt.charged), p_times, p_times * p_receipt.charged,
      p_times * usage_tokens(p_receipt.product, p_receipt.detail, 'inputTokens'),
      p_times * usage_tokens(p_receipt.product, p_receipt.detail, 'outputTokens')
    FROM unnest(ARRAY[-1, coalesce(p_receipt.key_id, 0)]) AS k (id)
    ON CONFLICT (owner_id, key_id, hour, channel, product, what, outcome) DO UPDATE SET
      calls = u.calls + excluded.calls, charged = u.charged + excluded.charged,
      input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens;
  IF p_receipt.customer_id IS NOT NULL THEN
    INSERT INTO usage_customer_hour AS u (owner_id, hour, customer_id, key_id, product, what, calls, charged)
      VALUES (p_receipt.owner_id, date_trunc('hour', p_receipt.at, 'UTC'), p_receipt.customer_id, coalesce(p_receipt.key_id, 0),
        p_receipt.product, p_receipt.what, p_times, p_times * p_receipt.charged)
      ON CONFLICT (owner_id, hour, customer_id, key_id, product, what) DO UPDATE SET
        calls = u.calls + excluded.calls, charged = u.charged + excluded.charged;
  END IF;
  INSERT INTO usage_key_day AS u (owner_id, day, key_id, calls, charged)
    VALUES (p_receipt.owner_id, (p_receipt.at AT TIME ZONE 'UTC')::date, coalesce(p_receipt.key_id, 0), p_times,
      p_times * p_receipt.charged)
    ON CONFLICT (owner_id, day, key_id) DO UPDATE SET calls = u.calls + excluded.calls, charged = u.charged + excluded.charged;
  INSERT INTO usage_key_month AS u (owner_id, month, key_id, calls, charged)
    VALUES (p_receipt.owner_id, date_trunc('month', p_receipt.at AT TIME ZONE 'UTC')::date, coalesce(p_receipt.key_id, 0), p_times,
      p_times * p_receipt.charged)
    ON CONFLICT (owner_id, month, key_id) DO UPDATE SET calls = u.calls + excluded.calls, charged = u.charged + excluded.charged;
END $$;

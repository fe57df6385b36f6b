-- Sums receipts that are not summed yet, at most `p_slice` of time. Returns up to when all are
-- summed, and whether there is more; no row while another process is at it.
-- It stays a minute behind, and behind the begin of every transaction that has written: nothing
-- older is committed later.
CREATE OR REPLACE FUNCTION usage_sum_up(p_slice interval) RETURNS TABLE (summed timestamptz, more boolean) LANGUAGE plpgsql AS $$
DECLARE since timestamptz; due timestamptz; upto timestamptz;
BEGIN
  SELECT s.until INTO since FROM usage_summed s FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT least(now(), min(a.xact_start)) - interval '1 minute' INTO due FROM pg_stat_activity a
    WHERE a.datname = current_database() AND a.backend_xid IS NOT NULL AND a.pid <> pg_backend_pid();
  IF since = '-infinity' THEN
    SELECT coalesce(min(first.at), due) INTO since FROM owner o
      CROSS JOIN LATERAL (SELECT r.at FROM receipt r WHERE r.owner_id = o.id ORDER BY r.at LIMIT 1) first;
  END IF;
  -- As precise as what is stored of it: a receipt between the two would be summed twice.
  due := date_trunc('milliseconds', due);
  upto := least(due, date_trunc('milliseconds', since + p_slice));
  -- Not for every few calls: what is newer is quickly read from receipts.
  IF due >= since + interval '3 minutes' THEN
    INSERT INTO usage_hour AS u (owner_id, key_id, hour, channel, product, what, outcome, calls, charged, input_tokens, output_tokens)
      SELECT r.owner_id, CASE WHEN grouping(r.key_id) = 1 THEN -1 ELSE r.key_id END, r.hour, r.channel, r.product, r.what, r.outcome,
        count(*), sum(r.charged), sum(r.input_tokens), sum(r.output_tokens)
      FROM (
        SELECT x.owner_id, coalesce(x.key_id, 0) AS key_id, date_trunc('hour', x.at, 'UTC') AS hour, x.channel, x.product, x.what,
          usage_outcome(x.status, x.charged) AS outcome, x.charged, usage_tokens(x.product, x.detail, 'inputTokens') AS input_tokens,
          usage_tokens(x.product, x.detail, 'outputTokens') AS output_tokens
        FROM owner o CROSS JOIN LATERAL (
          SELECT c.* FROM receipt c WHERE c.owner_id = o.id AND c.at >= since AND c.at < upto OFFSET 0) x
      ) r
      GROUP BY GROUPING SETS ((r.owner_id, r.hour, r.channel, r.product, r.what, r.outcome),
        (r.owner_id, r.key_id, r.hour, r.channel, r.product, r.what, r.outcome))
      ON CONFLICT (owner_id, key_id, hour, channel, product, what, outcome) DO UPDATE SET
        calls = u.calls + excluded.calls, charged = u.charged + excluded.charged,
        input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens;
    INSERT INTO usage_customer_hour AS u (owner_id, hour, customer_id, key_id, product, what, calls, charged)
      SELECT x.owner_id, date_trunc('hour', x.at, 'UTC'), x.customer_id, coalesce(x.key_id, 0), x.product, x.what, count(*), sum(x.charged)
      FROM owner o CROSS JOIN LATERAL (
        SELECT c.* FROM receipt c WHERE c.owner_id = o.id AND c.at >= since AND c.at < upto AND c.customer_id IS NOT NULL OFFSET 0) x
      GROUP BY 1, 2, 3, 4, 5, 6
      ON CONFLICT (owner_id, hour, customer_id, key_id, product, what) DO UPDATE SET
        calls = u.calls + excluded.calls, charged = u.charged + excluded.charged;
    INSERT INTO usage_key_day AS u (owner_id, day, key_id, calls, charged)
      SELECT x.owner_id, (x.at AT TIME ZONE 'UTC')::date, coalesce(x.key_id, 0), count(*), sum(x.charged)
      FROM owner o CROSS JOIN LATERAL (
        SELECT c.owner_id, c.at, c.key_id, c.charged FROM receipt c
        WHERE c.owner_id = o.id AND c.at >= since AND c.at < upto OFFSET 0) x
      GROUP BY 1, 2, 3
      ON CONFLICT (owner_id, day, key_id) DO UPDATE SET calls = u.calls + excluded.calls, charged = u.charged + excluded.charged;
    INSERT INTO usage_key_month AS u (owner_id, month, key_id, calls, charged)
      SELECT x.owner_id, date_trunc('month', x.at AT TIME ZONE 'UTC')::date, coalesce(x.key_id, 0), count(*), sum(x.charged)
      FROM owner o CROSS JOIN LATERAL (
        SELECT c.owner_id, c.at, c.key_id, c.charged FROM receipt c
        WHERE c.owner_id = o.id AND c.at >= since AND c.at < upto OFFSET 0) x
      GROUP BY 1, 2, 3
      ON CONFLICT (owner_id, month, key_id) DO UPDATE SET calls = u.calls + excluded.calls, charged = u.charged + excluded.charged;
    UPDATE usage_summed SET until = upto;
  END IF;
  SELECT s.until INTO summed FROM usage_summed s;
  more := upto < due;
  RETURN NEXT;
END $$;

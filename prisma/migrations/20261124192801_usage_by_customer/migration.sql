-- CreateTable
CREATE TABLE "usage_customer_hour" (
    "owner_id" INTEGER NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "key_id" INTEGER NOT NULL,
    "product" TEXT NOT NULL,
    "what" TEXT NOT NULL,
    "calls" BIGINT NOT NULL,
    "charged" BIGINT NOT NULL,

    CONSTRAINT "usage_customer_hour_pkey" PRIMARY KEY ("owner_id","hour","customer_id","key_id","product","what")
);

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

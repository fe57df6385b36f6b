-- CreateTable
CREATE TABLE "usage_hour" (
    "owner_id" INTEGER NOT NULL,
    "key_id" INTEGER NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "channel" TEXT NOT NULL,
    "product" TEXT NOT NULL,
    "what" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "calls" BIGINT NOT NULL,
    "charged" BIGINT NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,

    CONSTRAINT "usage_hour_pkey" PRIMARY KEY ("owner_id","key_id","hour","channel","product","what","outcome")
);

-- CreateTable
CREATE TABLE "usage_key_day" (
    "owner_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "key_id" INTEGER NOT NULL,
    "calls" BIGINT NOT NULL,
    "charged" BIGINT NOT NULL,

    CONSTRAINT "usage_key_day_pkey" PRIMARY KEY ("owner_id","day","key_id")
);

-- CreateTable
CREATE TABLE "usage_summed" (
    "id" INTEGER NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "usage_summed_pkey" PRIMARY KEY ("id")
);

-- Adds a receipt to the sums `p_times` times: 1, or -1 to take it out.
CREATE OR REPLACE FUNCTION usage_add(p_receipt receipt, p_times int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_hour AS u (owner_id, key_id, hour, channel, product, what, outcome, calls, charged, input_tokens, output_tokens)
    SELECT p_receipt.owner_id, k.id, date_trunc('hour', p_receipt.at, 'UTC'), p_receipt.door, p_receipt.product, p_receipt.what,
      usage_outcome(p_receipt.status, p_receipt.charged), p_times, p_times * p_receipt.charged,
      p_times * usage_tokens(p_receipt.product, p_receipt.detail, 'inputTokens'),
      p_times * usage_tokens(p_receipt.product, p_receipt.detail, 'outputTokens')
    FROM unnest(ARRAY[-1, coalesce(p_receipt.key_id, 0)]) AS k (id)
    ON CONFLICT (owner_id, key_id, hour, channel, product, what, outcome) DO UPDATE SET
      calls = u.calls + excluded.calls, charged = u.charged + excluded.charged,
      input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens;
  INSERT INTO usage_key_day AS u (owner_id, day, key_id, calls, charged)
    VALUES (p_receipt.owner_id, (p_receipt.at AT TIME ZONE 'UTC')::date, coalesce(p_receipt.key_id, 0), p_times,
      p_times * p_receipt.charged)
    ON CONFLICT (owner_id, day, key_id) DO UPDATE SET calls = u.calls + excluded.calls, charged = u.charged + excluded.charged;
END $$;

-- Corrects the sums for a receipt that was summed before it changed (a refund), or that came with a
-- time that was summed already. A settlement never does: its receipt is newer than any sum.
-- The share lock makes `usage_sum_up` wait, so a change is either seen by it or made here.
CREATE OR REPLACE FUNCTION usage_correct() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE summed timestamptz;
BEGIN
  SELECT s.until INTO summed FROM usage_summed s FOR SHARE;
  IF TG_OP = 'UPDATE' THEN
    IF OLD.at < summed THEN PERFORM usage_add(OLD, -1); END IF;
  END IF;
  IF NEW.at < summed THEN PERFORM usage_add(NEW, 1); END IF;
  RETURN NULL;
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
  upto := least(due, since + p_slice);
  -- Not for every few calls: what is newer is quickly read from receipts.
  IF due >= since + interval '3 minutes' THEN
    INSERT INTO usage_hour AS u (owner_id, key_id, hour, channel, product, what, outcome, calls, charged, input_tokens, output_tokens)
      SELECT r.owner_id, CASE WHEN grouping(r.key_id) = 1 THEN -1 ELSE r.key_id END, r.hour, r.door, r.product, r.what, r.outcome,
        count(*), sum(r.charged), sum(r.input_tokens), sum(r.output_tokens)
      FROM (
        SELECT x.owner_id, coalesce(x.key_id, 0) AS key_id, date_trunc('hour', x.at, 'UTC') AS hour, x.door, x.product, x.what,
          usage_outcome(x.status, x.charged) AS outcome, x.charged, usage_tokens(x.product, x.detail, 'inputTokens') AS input_tokens,
          usage_tokens(x.product, x.detail, 'outputTokens') AS output_tokens
        FROM owner o CROSS JOIN LATERAL (
          SELECT c.* FROM receipt c WHERE c.owner_id = o.id AND c.at >= since AND c.at < upto OFFSET 0) x
      ) r
      GROUP BY GROUPING SETS ((r.owner_id, r.hour, r.door, r.product, r.what, r.outcome),
        (r.owner_id, r.key_id, r.hour, r.door, r.product, r.what, r.outcome))
      ON CONFLICT (owner_id, key_id, hour, channel, product, what, outcome) DO UPDATE SET
        calls = u.calls + excluded.calls, charged = u.charged + excluded.charged,
        input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens;
    INSERT INTO usage_key_day AS u (owner_id, day, key_id, calls, charged)
      SELECT x.owner_id, (x.at AT TIME ZONE 'UTC')::date, coalesce(x.key_id, 0), count(*), sum(x.charged)
      FROM owner o CROSS JOIN LATERAL (
        SELECT c.owner_id, c.at, c.key_id, c.charged FROM receipt c
        WHERE c.owner_id = o.id AND c.at >= since AND c.at < upto OFFSET 0) x
      GROUP BY 1, 2, 3
      ON CONFLICT (owner_id, day, key_id) DO UPDATE SET calls = u.calls + excluded.calls, charged = u.charged + excluded.charged;
    UPDATE usage_summed SET until = upto;
  END IF;
  SELECT s.until INTO summed FROM usage_summed s;
  more := upto < due;
  RETURN NEXT;
END $$;

-- How a call ended, as its owner sees it: ok, failed (and charged) or free (failed, not charged).
CREATE OR REPLACE FUNCTION usage_outcome(p_status text, p_charged bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_status = 'ok' THEN 'ok' WHEN p_charged > 0 THEN 'failed' ELSE 'free' END;
$$;

INSERT INTO usage_summed (id, until) VALUES (1, '-infinity');

-- Rare: a refund, a receipt that comes with an old time. A settlement fires neither.
CREATE TRIGGER usage_correct_changed AFTER UPDATE ON receipt
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION usage_correct();
CREATE TRIGGER usage_correct_late AFTER INSERT ON receipt
  FOR EACH ROW WHEN (NEW.at < now() - interval '30 seconds') EXECUTE FUNCTION usage_correct();

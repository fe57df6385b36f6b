-- By hand: schema.prisma does not say this.

-- usage_day_insert does it, by what is summed and not by the clock.
DROP TRIGGER usage_correct_late ON receipt;

-- The day, week (from Monday) or month around a moment, as one begins in a time zone. Where clocks
-- are set back over midnight, that midnight is there twice: a day begins with the first of them.
CREATE OR REPLACE FUNCTION budget_period(p_period text, p_zone text, p_at timestamptz, OUT begins timestamptz, OUT ends timestamptz)
LANGUAGE plpgsql STABLE AS $$
DECLARE local timestamp := date_trunc(p_period, p_at AT TIME ZONE p_zone);
BEGIN
  begins := first_instant(local, p_zone);
  local := local + ('1 ' || p_period)::interval;
  ends := first_instant(local, p_zone);
  IF ends <= p_at THEN ends := local AT TIME ZONE p_zone; END IF;
END $$;

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
      LEFT JOIN (SELECT limit_id, sum(amount) FROM hold WHERE owner_id = p_owner GROUP BY limit_id) h ON h.limit_id = x.id
      LEFT JOIN (SELECT limit_id, sum(charged) FROM receipt WHERE owner_id = p_owner GROUP BY limit_id) r ON r.limit_id = x.id
      LEFT JOIN deleted_spend d ON d.limit_id = x.id WHERE x.owner_id = p_owner) n
    WHERE s.id = n.id AND (s.held, s.spent) <> (n.held, n.spent) AND n.spent + n.held <= s.cap;
  UPDATE "key" k SET held = n.held, spent = n.spent FROM (
      SELECT x.id, coalesce(h.sum, 0) AS held, coalesce(l.sum, 0) AS spent FROM "key" x
      LEFT JOIN (SELECT key_id, sum(amount) FROM hold WHERE owner_id = p_owner GROUP BY key_id) h ON h.key_id = x.id
      LEFT JOIN (SELECT key_id, -sum(amount) AS sum FROM ledger WHERE owner_id = p_owner GROUP BY key_id) l ON l.key_id = x.id
      WHERE x.owner_id = p_owner) n
    WHERE k.id = n.id AND (k.held, k.spent) <> (n.held, n.spent) AND n.spent >= 0
      AND (k.budget IS NULL OR n.spent + n.held <= k.budget);
  UPDATE account a SET held = n.held, available = n.total - n.held, calls = n.calls FROM (
      SELECT (SELECT coalesce(sum(l.amount), 0) FROM ledger l WHERE l.owner_id = p_owner) AS total,
        coalesce(sum(h.amount), 0) AS held, count(*) FILTER (WHERE h.door <> 'agent') AS calls
      FROM hold h WHERE h.owner_id = p_owner) n
    WHERE a.owner_id = p_owner AND (a.held, a.available, a.calls) <> (n.held, n.total - n.held, n.calls) AND n.total >= n.held;
END $$;

-- Corrects the sums for a receipt that was summed before it changed (a refund).
-- The share lock makes `usage_sum_up` wait, so a change is either seen by it or made here.
CREATE OR REPLACE FUNCTION usage_correct() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE summed timestamptz;
BEGIN
  SELECT s.until INTO summed FROM usage_summed s FOR SHARE;
  IF OLD.at < summed THEN PERFORM usage_add(OLD, -1); END IF;
  IF NEW.at < summed THEN PERFORM usage_add(NEW, 1); END IF;
  RETURN NULL;
END $$;

-- Adds new receipts to the sums of their days, once per statement. An owner's rows are written only
-- under the lock of the owner's account, as receipts are; the order is fixed all the same.
-- A receipt of a time that is summed by hour already, because the database's clock was set back (a
-- replica took over), is added to those sums too, under the lock that makes `usage_sum_up` wait.
CREATE OR REPLACE FUNCTION usage_day_insert() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE summed timestamptz;
BEGIN
  INSERT INTO usage_day AS u (owner_id, day, key_id, product, what, status, calls, charged, input_tokens, output_tokens)
    SELECT r.owner_id, (r.at AT TIME ZONE 'UTC')::date, coalesce(r.key_id, 0), r.product, r.what, r.status, count(*),
      sum(r.charged), sum(usage_tokens(r.product, r.detail, 'inputTokens')), sum(usage_tokens(r.product, r.detail, 'outputTokens'))
    FROM added r GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (owner_id, day, key_id, product, what, status) DO UPDATE SET
      calls = u.calls + excluded.calls, charged = u.charged + excluded.charged,
      input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens;
  IF (SELECT min(r.at) FROM added r) < (SELECT s.until FROM usage_summed s) THEN
    SELECT s.until INTO summed FROM usage_summed s FOR SHARE;
    PERFORM usage_add(c, 1) FROM receipt c WHERE c.id IN (SELECT r.id FROM added r WHERE r.at < summed);
  END IF;
  RETURN NULL;
END $$;

-- Makes the sums of an owner's receipts of a UTC day anew, and those of its month from its days.
CREATE OR REPLACE FUNCTION usage_repair(p_owner int, p_day date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  starts timestamptz := p_day::timestamp AT TIME ZONE 'UTC'; ends timestamptz := starts + interval '24 hours';
  first_day date := date_trunc('month', p_day); summed timestamptz;
BEGIN
  PERFORM 1 FROM account a WHERE a.owner_id = p_owner FOR NO KEY UPDATE;
  SELECT s.until INTO summed FROM usage_summed s FOR UPDATE;
  DELETE FROM usage_day u WHERE u.owner_id = p_owner AND u.day = p_day;
  INSERT INTO usage_day (owner_id, day, key_id, product, what, status, calls, charged, input_tokens, output_tokens)
    SELECT p_owner, p_day, coalesce(r.key_id, 0), r.product, r.what, r.status, count(*), sum(r.charged),
      sum(usage_tokens(r.product, r.detail, 'inputTokens')), sum(usage_tokens(r.product, r.detail, 'outputTokens'))
    FROM receipt r WHERE r.owner_id = p_owner AND r.at >= starts AND r.at < ends GROUP BY 3, 4, 5, 6;
  DELETE FROM usage_hour u WHERE u.owner_id = p_owner AND u.hour >= starts AND u.hour < ends;
  INSERT INTO usage_hour (owner_id, key_id, hour, channel, product, what, outcome, calls, charged, input_tokens, output_tokens)
    SELECT p_owner, k.id, date_trunc('hour', r.at, 'UTC'), r.door, r.product, r.what, usage_outcome(r.status, r.charged),
      count(*), sum(r.charged), sum(usage_tokens(r.product, r.detail, 'inputTokens')),
      sum(usage_tokens(r.product, r.detail, 'outputTokens'))
    FROM receipt r CROSS JOIN LATERAL unnest(ARRAY[-1, coalesce(r.key_id, 0)]) AS k (id)
    WHERE r.owner_id = p_owner AND r.at >= starts AND r.at < least(ends, summed) GROUP BY 2, 3, 4, 5, 6, 7;
  DELETE FROM usage_key_day u WHERE u.owner_id = p_owner AND u.day = p_day;
  INSERT INTO usage_key_day (owner_id, day, key_id, calls, charged)
    SELECT p_owner, p_day, u.key_id, sum(u.calls), sum(u.charged) FROM usage_hour u
    WHERE u.owner_id = p_owner AND u.key_id >= 0 AND u.hour >= starts AND u.hour < ends GROUP BY u.key_id;
  DELETE FROM usage_key_month u WHERE u.owner_id = p_owner AND u.month = first_day;
  INSERT INTO usage_key_month (owner_id, month, key_id, calls, charged)
    SELECT p_owner, first_day, u.key_id, sum(u.calls), sum(u.charged) FROM usage_key_day u
    WHERE u.owner_id = p_owner AND u.day >= first_day AND u.day < first_day + interval '1 month' GROUP BY u.key_id;
END $$;

-- The first moment at which clocks of a time zone show a time, or, where they skip it, show a later
-- one. PostgreSQL's own answer is the last.
CREATE OR REPLACE FUNCTION first_instant(p_local timestamp, p_zone text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT coalesce(min(t.at), p_local AT TIME ZONE p_zone)
  FROM (SELECT (p_local AT TIME ZONE p_zone) - n * interval '30 minutes' AS at FROM generate_series(0, 4) n) t
  WHERE t.at AT TIME ZONE p_zone = p_local
$$;

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

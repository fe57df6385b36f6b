-- A changed receipt (a refund) leaves the sums it was part of and joins those it belongs to now.
CREATE OR REPLACE FUNCTION usage_day_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_day AS u (owner_id, day, key_id, product, what, status, calls, charged, input_tokens, output_tokens)
    SELECT r.owner_id, (r.at AT TIME ZONE 'UTC')::date, coalesce(r.key_id, 0), r.product, r.what, r.status, sum(r.n),
      sum(r.n * r.charged), sum(r.n * usage_tokens(r.product, r.detail, 'inputTokens')), sum(r.n * usage_tokens(r.product, r.detail, 'outputTokens'))
    FROM (SELECT 1 AS n, a.* FROM after_rows a UNION ALL SELECT -1 AS n, b.* FROM before_rows b) r
    GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(r.n) <> 0 OR sum(r.n * r.charged) <> 0
      OR sum(r.n * usage_tokens(r.product, r.detail, 'inputTokens')) <> 0 OR sum(r.n * usage_tokens(r.product, r.detail, 'outputTokens')) <> 0
    ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (owner_id, day, key_id, product, what, status) DO UPDATE SET
      calls = u.calls + excluded.calls, charged = u.charged + excluded.charged,
      input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens;
  RETURN NULL;
END $$;

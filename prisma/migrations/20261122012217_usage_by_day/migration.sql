-- CreateTable
CREATE TABLE "usage_day" (
    "owner_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "key_id" INTEGER NOT NULL,
    "product" TEXT NOT NULL,
    "what" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "calls" BIGINT NOT NULL,
    "charged" BIGINT NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,

    CONSTRAINT "usage_day_pkey" PRIMARY KEY ("owner_id","day","key_id","product","what","status")
);

-- CreateIndex
CREATE INDEX "receipt_owner_id_what_at_idx" ON "receipt"("owner_id", "what", "at");

-- The common values are found by the other indexes: most calls write no row into these.
CREATE INDEX receipt_owner_id_status_at_idx ON receipt (owner_id, status, at) WHERE status <> 'ok';
CREATE INDEX receipt_owner_id_product_at_idx ON receipt (owner_id, product, at) WHERE product <> 'tool';

-- Every settlement of an owner updates a row of today: it stays on its page.
ALTER TABLE usage_day SET (fillfactor = 50);

-- A count of tokens in a receipt's detail; tools have none. Never raises: a settlement must not fail for a number that
-- is only reported.
CREATE FUNCTION usage_tokens(p_product text, p_detail jsonb, p_name text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_product = 'tool' OR jsonb_typeof(p_detail -> p_name) IS DISTINCT FROM 'number' THEN 0
    ELSE least(greatest((p_detail -> p_name)::numeric, 0), 1e15)::bigint END;
$$;

-- The triggers below run once per statement. An owner's rows are only written under the lock of the owner's account,
-- as receipts are; the order is fixed all the same.
CREATE FUNCTION usage_day_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_day AS u (owner_id, day, key_id, product, what, status, calls, charged, input_tokens, output_tokens)
    SELECT r.owner_id, (r.at AT TIME ZONE 'UTC')::date, coalesce(r.key_id, 0), r.product, r.what, r.status, count(*),
      sum(r.charged), sum(usage_tokens(r.product, r.detail, 'inputTokens')), sum(usage_tokens(r.product, r.detail, 'outputTokens'))
    FROM added r GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (owner_id, day, key_id, product, what, status) DO UPDATE SET
      calls = u.calls + excluded.calls, charged = u.charged + excluded.charged,
      input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens;
  RETURN NULL;
END $$;

-- A changed receipt (a refund) leaves the sums it was part of and joins those it belongs to now.
CREATE FUNCTION usage_day_update() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER usage_day_insert AFTER INSERT ON receipt REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION usage_day_insert();
CREATE TRIGGER usage_day_update AFTER UPDATE ON receipt REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION usage_day_update();

-- Receipts from before. The triggers' locks keep new ones out until this is committed.
INSERT INTO usage_day (owner_id, day, key_id, product, what, status, calls, charged, input_tokens, output_tokens)
  SELECT r.owner_id, (r.at AT TIME ZONE 'UTC')::date, coalesce(r.key_id, 0), r.product, r.what, r.status, count(*),
    sum(r.charged), sum(usage_tokens(r.product, r.detail, 'inputTokens')), sum(usage_tokens(r.product, r.detail, 'outputTokens'))
  FROM receipt r GROUP BY 1, 2, 3, 4, 5, 6;

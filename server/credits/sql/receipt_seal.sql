-- A hash of a receipt, by which `ledger verify` notices that it was changed. Whatever changes one
-- on purpose sets its seal too.
CREATE OR REPLACE FUNCTION receipt_seal(
  p_id uuid, p_at timestamptz, p_started_at timestamptz, p_held bigint, p_charged bigint, p_limit uuid, p_owner int, p_key int,
  p_status text, p_channel text, p_product text, p_what text, p_detail jsonb
) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT hash_record_extended(ROW(p_id, p_at, p_started_at, p_held, p_charged, p_limit, p_owner, p_key, p_status, p_channel,
    p_product, p_what, p_detail), 0)
$$;

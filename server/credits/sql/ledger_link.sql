-- The hash over an account's ledger rows with one more: SHA-256 of the hash before, if any, and of
-- what the row says.
CREATE OR REPLACE FUNCTION ledger_link(
  p_chain bytea, p_owner int, p_at timestamptz, p_amount bigint, p_hold uuid, p_key int, p_note text
) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(coalesce(p_chain, '') || int4send(p_owner) || timestamptz_send(p_at) || int8send(p_amount)
    || uuid_send(coalesce(p_hold, '00000000-0000-0000-0000-000000000000')) || int4send(coalesce(p_key, 0))
    || coalesce(convert_to(p_note, 'UTF8'), ''))
$$;

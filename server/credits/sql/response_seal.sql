-- A hash of what is stored for a caller's Idempotency-Key, by which `ledger verify` notices that it
-- was changed.
CREATE OR REPLACE FUNCTION response_seal(p_hold uuid, p_body bytea, p_status int, p_answer text, p_charged bigint)
RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT hash_record_extended(ROW(p_hold, p_body, p_status, p_answer, p_charged), 0)
$$;

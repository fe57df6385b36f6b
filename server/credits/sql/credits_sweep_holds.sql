-- Ends those of some holds whose process has no lease, without a charge, and returns how many and
-- the credits they held. Their receipts keep the Idempotency-Key and what it came with, for a
-- settlement that comes after all: see credits_settle_late.
CREATE OR REPLACE FUNCTION credits_sweep_holds(p_ids uuid[]) RETURNS TABLE (swept int, credits bigint) LANGUAGE plpgsql AS $$
DECLARE ids uuid[]; details jsonb[];
BEGIN
  SELECT array_agg(h.id), array_agg(CASE WHEN h.keeps_answer THEN (
      SELECT jsonb_build_object('idempotency', jsonb_build_object('token', i.token, 'body', encode(i.body_hash, 'hex')))
      FROM idempotency i WHERE i.hold_id = h.id AND i.status IS NULL) END)
    INTO ids, details FROM hold h LEFT JOIN holder p ON p.id = h.holder_id
    WHERE h.id = ANY (p_ids) AND (p.id IS NULL OR p.lease_until < now());
  swept := 0; credits := 0;
  IF ids IS NOT NULL THEN
    SELECT count(*), coalesce(sum(s.held), 0) INTO swept, credits FROM credits_settle(
      ids, array_fill(0::bigint, ARRAY[cardinality(ids)]), array_fill(false, ARRAY[cardinality(ids)]),
      array_fill('expired'::text, ARRAY[cardinality(ids)]), details,
      array_fill(NULL::int, ARRAY[cardinality(ids)]), array_fill(NULL::text, ARRAY[cardinality(ids)])) s
      WHERE s.outcome = 'done';
  END IF;
  RETURN NEXT;
END $$;

-- Seals a receipt that was changed on purpose.
CREATE OR REPLACE FUNCTION receipt_seal_again(p_id uuid) RETURNS void LANGUAGE sql AS $$
  UPDATE receipt r SET seal = receipt_seal(r.id, r.at, r.started_at, r.held, r.charged, r.limit_id, r.owner_id, r.key_id, r.status,
    r.channel, r.product, r.what, r.detail) WHERE r.id = p_id
$$;

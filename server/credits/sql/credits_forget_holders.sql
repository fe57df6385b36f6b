-- Forgets processes that are long dead and hold nothing.
CREATE OR REPLACE FUNCTION credits_forget_holders() RETURNS void LANGUAGE sql AS $$
  DELETE FROM holder p WHERE p.lease_until < now() - interval '1 hour'
    AND NOT EXISTS (SELECT 1 FROM hold h WHERE h.holder_id = p.id);
$$;

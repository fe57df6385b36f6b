-- Called by processes of the previous release only; keys_authenticate is the same and says more. To
-- be dropped in the next release.
CREATE OR REPLACE FUNCTION keys_admit(p_hash bytea[], p_owner_rpm int DEFAULT NULL)
RETURNS TABLE (n int, state text, key_id int, owner_id int, rpm int, remaining int, reset_s int) LANGUAGE sql AS $$
  SELECT a.n, CASE a.state WHEN 'suspended' THEN 'revoked' ELSE a.state END, a.key_id, a.owner_id, a.rpm, a.remaining, a.reset_s
  FROM keys_authenticate(p_hash, p_owner_rpm) a
$$;

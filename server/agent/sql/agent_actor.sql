-- Who acts on an owner's job, by the name of then: a key's name, or without one the owner's e-mail
-- address.
CREATE OR REPLACE FUNCTION agent_actor(p_owner int, p_key int) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_key IS NULL THEN (SELECT o.email FROM owner o WHERE o.id = p_owner)
    ELSE (SELECT k.name FROM "key" k WHERE k.id = p_key AND k.owner_id = p_owner) END
$$;

-- The customers of these names, each made where its owner names it for the first time. Concurrent
-- first calls make one row. A name that was deleted meanwhile has no row in the answer.
CREATE OR REPLACE FUNCTION customers_named(p_owner int[], p_name text[], p_hash text[])
RETURNS TABLE (n int, id int) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO customer (owner_id, name, hash)
    SELECT DISTINCT ON (u.owner_id, u.name) u.owner_id, u.name, u.hash FROM unnest(p_owner, p_name, p_hash) u (owner_id, name, hash)
    WHERE NOT EXISTS (SELECT 1 FROM customer c WHERE c.owner_id = u.owner_id AND c.name = u.name)
    ORDER BY u.owner_id, u.name
    ON CONFLICT (owner_id, name) DO NOTHING;
  RETURN QUERY SELECT u.n::int, c.id FROM unnest(p_owner, p_name) WITH ORDINALITY u (owner_id, name, n)
    JOIN customer c ON c.owner_id = u.owner_id AND c.name = u.name;
END $$;

-- A count of tokens in a receipt's detail; tools have none. Never raises: a settlement must not
-- fail for a number that is only reported.
CREATE OR REPLACE FUNCTION usage_tokens(p_product text, p_detail jsonb, p_name text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_product = 'tool' OR jsonb_typeof(p_detail -> p_name) IS DISTINCT FROM 'number' THEN 0
    ELSE least(greatest((p_detail -> p_name)::numeric, 0), 1e15)::bigint END;
$$;

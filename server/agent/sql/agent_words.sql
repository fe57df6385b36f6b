-- The words of a text that a search finds: of its first 4,000 characters. A search splits what it
-- is given in the same way.
CREATE OR REPLACE FUNCTION agent_words(p_text text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array(SELECT DISTINCT left(w, 60) FROM regexp_split_to_table(lower(left(p_text, 4000)), '[[:space:][:punct:]]+') w
    WHERE w <> '' LIMIT 400)
$$;

-- What finds an owner's jobs whose goals have words that begin with each word of a text: every job
-- where it has none. The owner is a word of each job, so that no other owner's rows are read.
CREATE OR REPLACE FUNCTION agent_search(p_owner int, p_text text) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN concat_ws(' & ', '''owner:' || p_owner || '''',
    (SELECT string_agg('''' || w || ''':*', ' & ') FROM unnest(agent_words(p_text)) w))::tsquery;
END $$;

-- Holds under a conversation's spend limit, ended without a charge. The job's row is locked.
CREATE OR REPLACE FUNCTION agent_void_holds(p_job uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE ids uuid[] := ARRAY(SELECT h.id FROM hold h WHERE h.limit_id = p_job);
BEGIN
  IF ids = '{}' THEN RETURN; END IF;
  PERFORM credits_settle(ids, array_fill(0::bigint, ARRAY[cardinality(ids)]), array_fill(false, ARRAY[cardinality(ids)]),
    array_fill('void'::text, ARRAY[cardinality(ids)]),
    array_fill('{"error": "The run was taken over."}'::jsonb, ARRAY[cardinality(ids)]),
    array_fill(NULL::int, ARRAY[cardinality(ids)]), array_fill(NULL::text, ARRAY[cardinality(ids)]));
END $$;

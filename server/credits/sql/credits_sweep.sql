-- Called by processes of the previous release only; credits_sweep_holds does the same. To be
-- dropped in the next release.
CREATE OR REPLACE FUNCTION credits_sweep(p_max int, p_skip uuid[]) RETURNS TABLE (swept int, credits bigint) LANGUAGE plpgsql AS $$
DECLARE ids uuid[];
BEGIN
  SELECT array_agg(d) INTO ids FROM credits_dead_holds(p_max, p_skip) d;
  swept := 0; credits := 0;
  IF ids IS NOT NULL THEN
    SELECT count(*), coalesce(sum(s.held), 0) INTO swept, credits FROM credits_settle(
      ids, array_fill(0::bigint, ARRAY[cardinality(ids)]), array_fill(false, ARRAY[cardinality(ids)]),
      array_fill('expired'::text, ARRAY[cardinality(ids)]), array_fill(NULL::jsonb, ARRAY[cardinality(ids)]),
      array_fill(NULL::int, ARRAY[cardinality(ids)]), array_fill(NULL::text, ARRAY[cardinality(ids)])) s
      WHERE s.outcome = 'done';
  END IF;
  RETURN NEXT;
END $$;

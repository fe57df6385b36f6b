-- Counts holds that are about to be taken in the minutes of budgets, each of which starts with its
-- first count. `p_of` says of which hold an entry is, those of one beside each other; `p_add` what
-- it counts: 1 request; 0 of tokens, which count when their number is known. A hold counts under
-- all of its entries, or, where one of these is used up, under none: then it has a row, with that
-- entry's place `at`. The order of the locks: by id.
CREATE OR REPLACE FUNCTION rates_take(p_of int[], p_id text[], p_max int[], p_add int[])
RETURNS TABLE (n int, at int, used int, ends_at timestamptz) LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  ids text[] := '{}'; counts int[]; began timestamptz[];
  i int := 1; e int; w int;
BEGIN
  WHILE NOT p_id <@ ids LOOP
    SELECT coalesce(array_agg(x.id), '{}'), array_agg(x.count), array_agg(x.began) INTO ids, counts, began FROM (
      SELECT r.id, CASE WHEN r.started_at > moment - interval '60 seconds' THEN r.count ELSE 0 END AS count,
        CASE WHEN r.started_at > moment - interval '60 seconds' THEN r.started_at ELSE moment END AS began
      FROM rate_window r WHERE r.id = ANY (p_id) ORDER BY r.id FOR UPDATE) x;
    IF NOT p_id <@ ids THEN
      INSERT INTO rate_window (id, started_at, count)
        SELECT DISTINCT u.id, moment, 0 FROM unnest(p_id) u (id) ORDER BY u.id ON CONFLICT (id) DO NOTHING;
    END IF;
  END LOOP;
  WHILE i <= cardinality(p_of) LOOP
    e := i; at := NULL;
    LOOP
      w := array_position(ids, p_id[e]);
      IF counts[w] + greatest(p_add[e], 1) > p_max[e] AND at IS NULL THEN at := e; used := counts[w]; ends_at := began[w] + interval '60 seconds'; END IF;
      EXIT WHEN p_of[e + 1] IS DISTINCT FROM p_of[i];
      e := e + 1;
    END LOOP;
    IF at IS NULL THEN
      FOR r IN i..e LOOP w := array_position(ids, p_id[r]); counts[w] := counts[w] + p_add[r]; END LOOP;
    ELSE
      n := p_of[i]; RETURN NEXT;
    END IF;
    i := e + 1;
  END LOOP;
  UPDATE rate_window r SET count = counts[array_position(ids, r.id)], started_at = began[array_position(ids, r.id)] WHERE r.id = ANY (ids);
END $$;

-- The rows of spend_limit that a receipt counted against: its conversation and budgets.
CREATE OR REPLACE FUNCTION limits_named(r receipt) RETURNS uuid[] LANGUAGE sql IMMUTABLE AS $$
  SELECT array_remove(ARRAY[r.limit_id], NULL) || ARRAY(SELECT e::uuid FROM jsonb_array_elements_text(r.detail -> 'limits') e)
$$;

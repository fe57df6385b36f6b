-- The hash over an account's ledger rows of a time, up to the row `p_last`, on top of that of the
-- rows before. Rows are in the order of their ids, in which they were committed: all are written
-- under the lock of their account.
CREATE OR REPLACE FUNCTION ledger_chain(p_owner int, p_chain bytea, p_from timestamptz, p_to timestamptz, p_last bigint)
RETURNS bytea LANGUAGE plpgsql STABLE AS $$
DECLARE l record; chain bytea := p_chain;
BEGIN
  FOR l IN SELECT x.at, x.amount, x.hold_id, x.key_id, x.note FROM ledger x
    WHERE x.owner_id = p_owner AND x.at >= p_from AND x.at < p_to AND x.id <= p_last ORDER BY x.id
  LOOP
    chain := ledger_link(chain, p_owner, l.at, l.amount, l.hold_id, l.key_id, l.note);
  END LOOP;
  RETURN chain;
END $$;

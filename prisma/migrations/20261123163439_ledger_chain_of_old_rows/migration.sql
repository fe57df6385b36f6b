-- By hand: schema.prisma does not say this.

-- Chains the ledger rows that there are. Most of it is done before any account is locked: calls
-- wait only while what they wrote meanwhile is added.
CREATE TEMPORARY TABLE chained ON COMMIT DROP AS
  SELECT x.owner_id, x.last, ledger_chain(x.owner_id, NULL, '-infinity', 'infinity', x.last) AS chain
  FROM (SELECT owner_id, max(id) AS last FROM ledger GROUP BY owner_id) x;

DO $$
DECLARE a record; l record; so_far bytea;
BEGIN
  FOR a IN SELECT y.owner_id, c.last, c.chain FROM account y LEFT JOIN chained c ON c.owner_id = y.owner_id ORDER BY y.owner_id LOOP
    PERFORM 1 FROM account y WHERE y.owner_id = a.owner_id FOR NO KEY UPDATE;
    so_far := a.chain;
    FOR l IN SELECT x.* FROM ledger x WHERE x.owner_id = a.owner_id AND x.id > coalesce(a.last, 0)
      AND x.at >= transaction_timestamp() - interval '1 day' ORDER BY x.id
    LOOP
      so_far := ledger_link(so_far, a.owner_id, l.at, l.amount, l.hold_id, l.key_id, l.note);
    END LOOP;
    UPDATE account y SET chain = so_far WHERE y.owner_id = a.owner_id AND so_far IS NOT NULL;
  END LOOP;
END $$;

UPDATE retention SET days = floor(extract(epoch FROM now() - cutoff) / 86400) WHERE name = 'receipts' AND cutoff IS NOT NULL;

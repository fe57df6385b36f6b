-- Raises where this database cannot serve although it responds: read-only (after a failover), a
-- full disk, or a log that cannot be flushed. The sort exceeds its memory and goes through a file;
-- nothing is stored.
CREATE OR REPLACE FUNCTION database_ready() RETURNS void LANGUAGE plpgsql SET work_mem = '64kB' AS $$
DECLARE rows int;
BEGIN
  IF pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean THEN
    RAISE EXCEPTION 'the database is read-only' USING ERRCODE = 'read_only_sql_transaction';
  END IF;
  SELECT count(*) INTO rows FROM (SELECT i FROM generate_series(1, 5000) i ORDER BY md5(i::text) OFFSET 1) sorted;
  PERFORM pg_logical_emit_message(true, 'tollgate', 'ready?');
END $$;

import { describe, expect, test } from 'vitest'
import { classifySql } from './classify-sql'

const READS = [
  'select 1',
  'SELECT * FROM orders WHERE id = $1 ORDER BY created_at DESC LIMIT 10;',
  'select count(*), sum(total) filter (where paid) from orders group by rollup (region) having count(*) > 2',
  'with recent as (select * from orders) select r.*, u.name from recent r join users u using (id)',
  'with recursive n(i) as (values (1) union all select i + 1 from n where i < 5) select * from n',
  'select row_number() over (partition by region order by total desc), lag(total) over w from orders window w as (order by id)',
  "select case when a > 1 then 'x' else coalesce(b, 'y') end, nullif(a, 2), greatest(1, 2) from t",
  "select data->>'name', data #> '{a,b}', tags[1], array[1,2] from t where tags @> array['x']",
  'select exists (select 1 from t), (select max(x) from t), x = any(array[1,2]) from t',
  "select now(), current_date, current_user, date_trunc('day', at), extract(year from at), at at time zone 'utc' from t",
  'select x::int, cast(y as text), lower(z) collate "C" from t',
  'values (1), (2)',
  'table orders',
  'select 1 union all select 2 intersect select 3 except select 4',
  'select * from generate_series(1, 10) g, lateral (select g) x',
  "select string_agg(name, ', ' order by name), percentile_cont(0.5) within group (order by x) from t",
  'select pg_catalog.count(*) from pg_catalog.pg_class',
  "select trim(both from a), substring(a from 1 for 2), position('x' in a), overlay(a placing 'x' from 1) from t",
  'select (row(1, 2)).f1',
  'explain select * from t',
  'explain (verbose, costs off) select * from t',
  'show server_version',
  '-- a comment\nselect /* another; */ 1',
  "select ';', $$ ; delete from t $$",
]

const ASKS: [string, string][] = [
  ['insert into t values (1)', 'INSERT into t'],
  ['update t set a = 1', 'UPDATE of t'],
  ['delete from t', 'DELETE from t'],
  ['merge into t using s on t.id = s.id when matched then delete', 'MERGE into t'],
  ['truncate t', 'TRUNCATE'],
  ['drop table t', 'DROP'],
  ['alter table t add column x int', 'ALTER TABLE'],
  ['create table t (x int)', 'CREATE TABLE t'],
  ['create table t as select 1', 'CREATE TABLE AS'],
  ['create or replace function f() returns int language sql as $$ select 1 $$', 'CREATE FUNCTION'],
  ['with d as (delete from t returning *) select * from d', 'DELETE'],
  ['with i as (insert into t values (1) returning 1), s as (select 1) select * from s', 'INSERT'],
  ['select * into copy from t', 'SELECT INTO'],
  ['select * from t for update', 'locks rows'],
  ['select * from (select * from t for share) x', 'locks rows'],
  ['select 1; delete from t', '2 statements'],
  ['commit; delete from t', '2 statements'],
  ['', 'empty'],
  ['-- nothing', 'empty'],
  ['selec 1', 'cannot be parsed'],
  ['select 1 from', 'cannot be parsed'],
  ['explain analyze delete from t', 'ANALYZE'],
  ['explain (analyze) select 1', 'ANALYZE'],
  ['explain (analyze true) select 1', 'ANALYZE'],
  ['explain delete from t', 'not a query'],
  ['explain select pg_sleep(1)', 'pg_sleep'],
  ['do $$ begin delete from t; end $$', 'DO'],
  ['call p()', 'CALL'],
  ["copy t from program 'id'", 'COPY'],
  ["copy (select 1) to '/tmp/x'", 'COPY'],
  ['set role admin', 'VARIABLE SET'],
  ['set statement_timeout = 0', 'VARIABLE SET'],
  ['reset all', 'VARIABLE SET'],
  ['begin', 'TRANSACTION'],
  ['commit', 'TRANSACTION'],
  ['rollback', 'TRANSACTION'],
  ['prepare p as delete from t', 'PREPARE'],
  ['execute p', 'EXECUTE'],
  ['deallocate all', 'DEALLOCATE'],
  ['declare c cursor for select 1', 'DECLARE CURSOR'],
  ['lock table t', 'LOCK'],
  ['vacuum t', 'VACUUM'],
  ['grant all on t to public', 'GRANT'],
  ['listen x', 'LISTEN'],
  ["notify x, 'y'", 'NOTIFY'],
  ['refresh materialized view v', 'REFRESH MAT VIEW'],
  ['select pg_terminate_backend(1)', 'pg_terminate_backend'],
  ["select pg_read_file('/etc/passwd')", 'pg_read_file'],
  ["select * from dblink('x', 'delete from t') as t(a int)", 'dblink'],
  ["select lo_import('/etc/passwd')", 'lo_import'],
  ["select nextval('s')", 'nextval'],
  ["select set_config('role', 'admin', false)", 'set_config'],
  ['select pg_sleep(100)', 'pg_sleep'],
  ['select pg_advisory_lock(1)', 'pg_advisory_lock'],
  ['select * from t order by my_function(x)', 'my_function'],
  ['select * from t where public.lower(x) = 1', 'public.lower'],
  ['select a operator(public.+) b from t', 'operator'],
  ["select query_to_xml('delete from t', true, true, '')", 'query_to_xml'],
  ['select (select pg_notify(a, b)) from t', 'pg_notify'],
  ['select count(my_function(x)) from t', 'my_function'],
  ['select * from t tablesample system (10)', 'RANGE TABLE SAMPLE'],
  ['select case when true then pg_reload_conf() end', 'pg_reload_conf'],
  ['select coalesce(null, pg_rotate_logfile())', 'pg_rotate_logfile'],
  ['select array[pg_cancel_backend(1)]', 'pg_cancel_backend'],
]

describe('a statement that provably only reads', () => {
  test.each(READS)('%s', async (sql) => {
    expect(await classifySql(sql)).toMatchObject({ kind: 'read' })
  })
})

describe('a statement that needs approval', () => {
  test.each(ASKS)('%s', async (sql, why) => {
    expect(await classifySql(sql)).toMatchObject({ kind: 'needs_approval', reason: expect.stringContaining(why) })
  })

  test('is countable beforehand only where it changes rows and calls nothing that does more', async () => {
    const isCountable = async (sql: string) => 'isCountable' in (await classifySql(sql))
    const safe = [
      'insert into t (a) values (1), (default) on conflict (a) do update set a = excluded.a returning a',
      'update t set (a, b) = (select 1, 2), c = upper(c) from u where u.id = t.id',
      'delete from t using u where u.id = t.id and t.at < now()',
      'with old as (delete from t returning *) insert into archive select * from old',
    ]
    for (const sql of safe) expect(await isCountable(sql), sql).toBe(true)
    const others = ASKS.map(([sql]) => sql).filter((sql) => !/^(insert|update|delete) /.test(sql))
    for (const sql of [...others, 'delete from t where pg_terminate_backend(1)', "update t set a = nextval('s')"])
      expect(await isCountable(sql), sql).toBe(false)
  })
})

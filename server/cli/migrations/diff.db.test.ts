import { beforeAll, describe, expect, test } from 'vitest'
import { type SchemaDiff, schemaDiff } from './diff'
import { migrationList } from './files'

describe('a further migration by mistake', () => {
  let diff: SchemaDiff
  beforeAll(async () => {
    const sql = `DROP FUNCTION credits_refund(uuid, text, text);
      ALTER TABLE account DROP CONSTRAINT account_available_check;
      DROP INDEX ledger_refund_key;
      DROP TRIGGER usage_correct_changed ON receipt;
      ALTER TABLE hold SET (autovacuum_vacuum_threshold = 50);
      ALTER TABLE session DROP CONSTRAINT session_owner_id_fkey;
      CREATE OR REPLACE FUNCTION credits_tick() RETURNS timestamptz LANGUAGE sql AS 'SELECT now()';
      CREATE FUNCTION forgotten() RETURNS int LANGUAGE sql AS 'SELECT 1';`
    const list = migrationList()
    const file = { path: 'migration.sql', content: { tag: 'ok' as const, value: sql } }
    const mistake = { path: '29990101000000_mistake', migrationFile: file }
    diff = await schemaDiff({ ...list, migrationDirectories: [...list.migrationDirectories, mistake] })
  })

  test.each([
    ['drops a function', /^- CREATE OR REPLACE FUNCTION public\.credits_refund\(/],
    ['drops a check', /^- ALTER TABLE account ADD CONSTRAINT account_available_check /],
    ['drops an index that schema.prisma does not have', /^- CREATE UNIQUE INDEX ledger_refund_key /],
    ['drops a trigger', /^- CREATE TRIGGER usage_correct_changed /],
    [
      'changes a setting of a table',
      /^- \) WITH \(autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000\)/,
    ],
    ['drops a foreign key', /^- ALTER TABLE session ADD CONSTRAINT session_owner_id_fkey /],
  ])('that %s is reported', (_what, line) => {
    expect(diff.lines).toEqual(expect.arrayContaining([expect.stringMatching(line)]))
  })

  test('is reported where it leaves a function other than its file, or without one', () => {
    expect(diff.functions.changed.map(({ path }) => path)).toEqual([
      'server/credits/sql/credits_refund.sql',
      'server/credits/sql/credits_tick.sql',
    ])
    expect(diff.functions.dropped).toEqual(['forgotten()'])
  })

  test('is reported where it leaves a table other than schema.prisma', () => {
    expect(diff.tables).toContain('session_owner_id_fkey')
  })
})

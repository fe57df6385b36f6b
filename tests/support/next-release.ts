/** What a next release may do to the schema while processes of the one before serve. */
export const EXPANDING: Record<string, string> = {
  '29990101000000_more_columns': `ALTER TABLE owner ADD COLUMN nickname text;
    ALTER TABLE receipt ADD COLUMN region text;
    CREATE TABLE region (id serial PRIMARY KEY, name text NOT NULL);`,
  '29990101000001_an_index':
    'CREATE INDEX CONCURRENTLY receipt_region_idx ON receipt (region) WHERE region IS NOT NULL;',
}

/** What only a release after it may do. */
export const CONTRACTING: Record<string, string> = {
  '29990102000000_fewer_columns': 'ALTER TABLE owner DROP COLUMN nickname;',
}

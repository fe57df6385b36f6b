import { pool } from '../db'

/** True when the database answers and is migrated. */
export const isReady = (): Promise<boolean> =>
  pool()
    .query('SELECT 1 FROM holder LIMIT 1')
    .then(
      () => true,
      () => false,
    )

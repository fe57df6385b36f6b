import { isDatabaseDown, pool } from '../../db'

/** Stops the process with one line when the database cannot be reached or lacks our tables. */
export async function needDatabase(url: string): Promise<void> {
  try {
    await pool().query('SELECT 1 FROM holder LIMIT 1')
  } catch (error) {
    const { host, pathname } = new URL(url)
    const where = `${host}${pathname}`
    const { code, message } = error as { code?: string; message: string }
    const why = isDatabaseDown(error)
      ? `Cannot reach the database at ${where}: ${code ?? message}.`
      : code === '42P01'
        ? `The database at ${where} is not migrated: run npm run db:migrate.`
        : `The database at ${where} refuses: ${message}.`
    process.stderr.write(`${why}\n`)
    process.exit(1)
  }
}

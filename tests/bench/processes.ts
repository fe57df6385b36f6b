import { type BenchSubject, compareSubjects, startGateway } from './measure'
import { QUERY_BODY } from './query-body'

const COUNTS = [1, 2, 4]

/**
 * The same billed `/query` through one, two and four web processes of `npm start` over one
 * database, in turns. CPU time is that of all of them, their launcher included. Returns a Markdown
 * table.
 */
export async function benchProcesses(): Promise<string> {
  const stops: (() => Promise<void>)[] = []
  const subjects: BenchSubject[] = []
  try {
    for (const count of COUNTS) {
      const { url, pid, key, stop } = await startGateway(count)
      stops.push(stop)
      subjects.push({ name: `web processes: ${count}`, pid, url: `${url}/api/v1/query`, key, body: QUERY_BODY })
    }
    return await compareSubjects(subjects, 'one process')
  } finally {
    await Promise.all(stops.map((stop) => stop()))
  }
}

import { PgBoss } from 'pg-boss'

/** The queue whose messages say "run this segment"; what a run is stands in our own rows. */
export const RUN_QUEUE = 'agent-runs'

export const QUEUE_SCHEMA = 'pgboss'

/** A message whose worker died is another's after `heartbeatSeconds`; tries are counted on our rows, not here. */
const QUEUE = {
  heartbeatSeconds: 10,
  retryLimit: 1000,
  retryDelay: 0,
  expireInSeconds: 86_400,
  deleteAfterSeconds: 600,
  notify: true,
}

/** Makes the queue's tables, and the queue, in a database: part of migrating it. Doing it again changes nothing. */
export async function prepareQueue(connectionString: string): Promise<void> {
  const boss = new PgBoss({ connectionString, schema: QUEUE_SCHEMA, max: 2, supervise: false, schedule: false })
  // Without a listener an error event ends the process; what matters is thrown by `start` as well.
  boss.on('error', () => {})
  await boss.start()
  try {
    if ((await boss.getQueue(RUN_QUEUE)) === null) await boss.createQueue(RUN_QUEUE, QUEUE)
  } finally {
    await boss.stop({ graceful: false })
  }
}

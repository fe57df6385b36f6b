/** The queue whose messages ask a worker to continue a run. The run itself is in our own rows. */
export const RUN_QUEUE = 'agent-runs'

/**
 * The queue whose messages ask a worker to send an owner's deliveries. One message of an owner at a
 * time, so that owners take turns however many deliveries each has.
 */
export const WEBHOOK_QUEUE = 'agent-webhooks'

export const QUEUE_SCHEMA = 'pgboss'

/**
 * When a worker dies, its message goes to another after `heartbeatSeconds`. Attempts are counted in
 * our rows.
 */
const OPTIONS = {
  heartbeatSeconds: 10,
  retryLimit: 1000,
  retryDelay: 0,
  expireInSeconds: 86_400,
  deleteAfterSeconds: 600,
  notify: true,
}

/** A message is sent again while its owner has deliveries that are due, so none needs attempts. */
const WEBHOOK_OPTIONS = {
  policy: 'exclusive',
  heartbeatSeconds: 10,
  retryLimit: 0,
  expireInSeconds: 600,
  deleteAfterSeconds: 60,
  notify: true,
} as const

/** Creates the queues and their tables in a database, as part of migrating it. Idempotent. */
export async function prepareQueue(connectionString: string): Promise<void> {
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({ connectionString, schema: QUEUE_SCHEMA, max: 2, supervise: false, schedule: false })
  // Without a listener an error event would end the process; `start` throws what matters.
  boss.on('error', () => {})
  await boss.start()
  try {
    if ((await boss.getQueue(RUN_QUEUE)) === null) await boss.createQueue(RUN_QUEUE, OPTIONS)
    if ((await boss.getQueue(WEBHOOK_QUEUE)) === null) await boss.createQueue(WEBHOOK_QUEUE, WEBHOOK_OPTIONS)
  } finally {
    await boss.stop({ graceful: false })
  }
}

import { curlBlock, tableBlock } from './markdown-blocks'

const REQUEST = {
  cron: '0 9 * * 1-5',
  timeZone: 'Europe/Berlin',
  goal: 'What was said about us in forums since yesterday? Five lines with links.',
  callbackUrl: 'https://example.com/hooks/tollgate',
}

const OPERATIONS = [
  [
    'POST',
    '',
    'Make one: `cron`, `timeZone`, `goal`, and of a start `mode`, `model`, `capabilities`, `callbackUrl`, `outputSchema`',
  ],
  ['GET', '', 'All of them, newest first, with `nextRuns` and `lastRun`'],
  ['GET', '/{scheduleId}', 'One of them'],
  ['GET', '/{scheduleId}/runs', 'What became of each time: `state`, `jobId`, `reason`, `creditsSpent`'],
  ['PATCH', '/{scheduleId}', 'Change fields; what is omitted stays'],
  ['POST', '/{scheduleId}/pause', 'Start no more runs'],
  ['POST', '/{scheduleId}/resume', 'Start runs again, from the next time on'],
  ['POST', '/{scheduleId}/run', 'Start a run now, as `POST /agent` does; 409 while one is in progress'],
  ['DELETE', '/{scheduleId}', 'Delete it; its jobs stay'],
]

/** Schedules of agent runs: how to make one, when it is due, and when it is paused. */
export const scheduleSection = (base: string): string =>
  [
    '## Schedules',
    'A schedule starts agent runs at set times, each as a job of its own with its own spend limit. Making one is free.',
    curlBlock(`${base}/agent/schedules`, REQUEST),
    tableBlock(
      ['Method', 'Path', 'What it does'],
      OPERATIONS.map(([method = '', path, what = '']) => [method, `\`/agent/schedules${path}\``, what]),
    ),
    '`cron` has five fields: minute, hour, day of the month, month, day of the week; lists, ranges, steps and names such as `MON-FRI` are understood. They are read in `timeZone`, an IANA name, `UTC` by default. The hour on the clock stays the same when daylight saving begins and ends: a time in the hour that is skipped comes when that hour ends, and one in the hour that repeats comes once.',
    'Each time starts one run, however many workers there are. Times that were missed while none ran start one run, not one each. A time is skipped while the run before it is in progress or waits for an answer.',
    'Runs start under the key that made the schedule, or that last changed or resumed it, with its limits: spend, models, capabilities. A start that is refused, such as for too few credits, is a failure, and so is a run that ends `failed`. Three failures in a row pause the schedule; `paused.reason` says why, and resuming counts from 0. A schedule whose key was revoked or has expired is paused at its next time. A cancelled run, and one started with `/run` that fails, do not count.',
  ].join('\n\n')

/** A time in the time zone of its schedule: "Mon 23 Nov, 09:00". */
export function formatInZone(at: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  })
  return format.format(new Date(at))
}

/** The next times of a schedule in its own time zone. */
export const NextTimes = ({ times, timeZone }: { times: readonly string[]; timeZone: string }) => (
  <ol className="grid gap-1">
    {times.map((at) => (
      <li key={at}>
        <time dateTime={at} title={at} className="num">
          {formatInZone(at, timeZone)}
        </time>
      </li>
    ))}
  </ol>
)

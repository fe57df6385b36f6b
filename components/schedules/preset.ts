export type PresetKind = 'hourly' | 'daily' | 'weekdays' | 'weekly' | 'monthly' | 'custom'

/** When a schedule is due, as its form has it. What the kind does not use keeps its value. */
export type Preset = {
  kind: PresetKind
  /** hh:mm; `hourly` uses the minutes only. */
  time: string
  /** 0: Sunday. */
  weekday: number
  day: number
  cron: string
}

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

export const NINE_DAILY: Preset = { kind: 'daily', time: '09:00', weekday: 1, day: 1, cron: '0 9 * * *' }

/** The cron expression of a preset; empty while its time is incomplete. */
export function cronOf({ kind, time, weekday, day, cron }: Preset): string {
  if (kind === 'custom') return cron
  const [hour, minute] = time.split(':').map(Number)
  if (hour === undefined || minute === undefined || !/^\d\d:\d\d/.test(time)) return ''
  switch (kind) {
    case 'hourly':
      return `${minute} * * * *`
    case 'daily':
      return `${minute} ${hour} * * *`
    case 'weekdays':
      return `${minute} ${hour} * * 1-5`
    case 'weekly':
      return `${minute} ${hour} * * ${weekday}`
    case 'monthly':
      return `${minute} ${hour} ${day} * *`
    default:
      return kind satisfies never
  }
}

const two = (value: string) => value.padStart(2, '0')

/** The preset that makes a cron expression; `custom` where no other does. */
export function presetOf(cron: string): Preset {
  const [minute = '', hour = '', day = '', , weekday = ''] = cron.split(' ')
  const custom = { ...NINE_DAILY, kind: 'custom', cron } as const
  const candidates = (['hourly', 'daily', 'weekdays', 'weekly', 'monthly'] as const).map((kind) => ({
    ...NINE_DAILY,
    kind,
    cron,
    time: `${two(kind === 'hourly' ? '00' : hour)}:${two(minute)}`,
    ...(/^[0-6]$/.test(weekday) && { weekday: Number(weekday) }),
    ...(/^\d{1,2}$/.test(day) && { day: Number(day) }),
  }))
  return candidates.find((preset) => cronOf(preset) === cron) ?? custom
}

/** When a cron expression is due, in words; the expression where there is no short phrase. */
export function cronInWords(cron: string): string {
  const { kind, time, weekday, day } = presetOf(cron)
  switch (kind) {
    case 'hourly':
      return `Every hour at minute ${Number(time.slice(3))}`
    case 'daily':
      return `Every day at ${time}`
    case 'weekdays':
      return `Monday to Friday at ${time}`
    case 'weekly':
      return `Every ${WEEKDAYS[weekday]} at ${time}`
    case 'monthly':
      return `Every month on day ${day} at ${time}`
    case 'custom':
      return cron
    default:
      return kind satisfies never
  }
}

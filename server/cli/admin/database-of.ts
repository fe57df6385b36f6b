/** Commands that do not use the database as the service does. */
const OTHERS: Record<string, 'owner' | 'none'> = {
  restore: 'owner',
  capacity: 'owner',
  doctor: 'none',
  init: 'none',
  database: 'none',
  version: 'none',
  'settings check': 'none',
}

/**
 * Which database a command is handed: as the service connects, with migrations applied; as the
 * owner of the tables, as it is; or none.
 */
export function databaseOfCommand(args: readonly string[]): 'service' | 'owner' | 'none' {
  if (asksForHelp(args)) return 'none'
  const [first = '', second = ''] = args.filter((word) => !word.startsWith('-'))
  return OTHERS[first] ?? OTHERS[`${first} ${second}`] ?? 'service'
}

/** Whether the usage is asked for: of everything, or of the command that is named. */
export const asksForHelp = (args: readonly string[]): boolean =>
  args.every((word) => word === '--json') || args[0] === 'help' || args.some((word) => ['--help', '-h'].includes(word))

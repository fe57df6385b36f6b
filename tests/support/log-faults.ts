const ERROR_LEVEL = 50

type Line = { level?: unknown; msg?: unknown }

function parsed(line: string): Line | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}

/** The lines of a process's log that mean a fault of the program: level error or above, and anything unhandled. */
export const faultsIn = (log: string, allowed: readonly RegExp[] = []): string[] =>
  log
    .split('\n')
    .filter((line) => Number(parsed(line)?.level ?? 0) >= ERROR_LEVEL || /unhandled|uncaught|⨯/i.test(line))
    .filter((line) => !allowed.some((pattern) => pattern.test(line)))

/** The names of what changed, as one line. */
export const changesText = (changed: readonly string[]): string =>
  changed.length > 0 ? changed.join('; ') : 'nothing has changed'

/** Whether names are all among others, where null stands for any. */
export const isWithin = (names: readonly string[] | null, granted: readonly string[] | null): boolean =>
  granted === null || (names?.every((name) => granted.includes(name)) ?? false)

/** Levels of nesting in a request; code that walks a deeper one would overflow the stack. */
const MAX_DEPTH = 200

export function isNestedTooDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return level.length > 0
}

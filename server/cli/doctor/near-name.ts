/** How many letters differ: put in, left out, exchanged, or swapped with the next one. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}

/** The known name that a mistyped one most likely means; null: it is known, or like none. */
export function nearName(name: string, known: readonly string[]): string | null {
  if (known.includes(name)) return null
  const limit = name.length < 8 ? 1 : 2
  const near = known.map((one) => ({ one, apart: distance(name.toUpperCase(), one) }))
  const [nearest] = near.filter(({ apart }) => apart <= limit).sort((a, b) => a.apart - b.apart)
  return nearest?.one ?? null
}

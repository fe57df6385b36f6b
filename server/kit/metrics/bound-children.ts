/** A metric of which the child of some labels can be kept. */
type Labelled<C> = { labels: (...values: string[]) => C }

/**
 * The child of a metric with these labels, made once: what runs for every call neither makes an
 * object of labels nor checks their names.
 */
export function boundChildren<C>(metric: Labelled<C>): (...values: string[]) => C {
  const children = new Map<string, C>()
  return (...values) => {
    const key = values.join(' ')
    const known = children.get(key)
    if (known) return known
    const made = metric.labels(...values)
    children.set(key, made)
    return made
  }
}

/**
 * Sets parameters of the current URL without navigation, so that it can be shared; null removes
 * one.
 */
export function setUrlParams(set: Record<string, string | null>): void {
  const url = new URL(window.location.href)
  for (const [name, value] of Object.entries(set)) {
    if (value) url.searchParams.set(name, value)
    else url.searchParams.delete(name)
  }
  window.history.replaceState(null, '', url)
}

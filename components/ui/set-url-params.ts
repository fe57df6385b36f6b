/** Keeps what is chosen on a page in its address, so that it can be sent to someone or reloaded; null takes it out. */
export function setUrlParams(set: Record<string, string | null>): void {
  const url = new URL(window.location.href)
  for (const [name, value] of Object.entries(set)) {
    if (value) url.searchParams.set(name, value)
    else url.searchParams.delete(name)
  }
  window.history.replaceState(null, '', url)
}

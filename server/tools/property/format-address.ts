type Address = {
  streetName: string | null
  streetNumber: string | null
  postalCode: string | null
  locationName: string | null
}

/** Street and number, postal code and town, where known. */
export function formatAddress(address: Address | null | undefined): string | null {
  const joined = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(' ')
  const lines = [joined(address?.streetName, address?.streetNumber), joined(address?.postalCode, address?.locationName)]
  return lines.filter(Boolean).join(', ') || null
}

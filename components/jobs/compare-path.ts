/** The page that shows jobs side by side, each by its latest run. */
export const comparePath = (jobIds: readonly string[]): string =>
  `/jobs/compare?${new URLSearchParams(jobIds.map((id) => ['job', id]))}`

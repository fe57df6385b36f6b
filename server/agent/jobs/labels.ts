import { z } from 'zod'

const Metadata = z.record(z.string(), z.string())

/** What a turn's caller named it, and the schedule that started it, as jobs and events show it. */
export const viewLabels = ({ metadata, scheduleId }: { metadata: unknown; scheduleId: string | null }) => ({
  metadata: Metadata.parse(metadata ?? {}),
  scheduleId,
})

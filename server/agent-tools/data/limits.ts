// Apart from `shape.ts`: the thread of datasets starts for each task, and loading zod would be most
// of its time.
export const MAX_DATASET_ROWS = 100_000
export const MAX_DATASET_COLUMNS = 200
export const MAX_COLUMN_NAME_CHARS = 100
/** Of a dataset's rows as JSON. */
export const MAX_DATASET_BYTES = 16 * 1024 * 1024
export const MAX_DATASETS = 200

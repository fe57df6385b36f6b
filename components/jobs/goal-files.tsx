import { toDataUri } from '../playground/attachments'
import { Field } from '../ui/field'
import type { JobTurn } from './shape'

const TYPES = 'image/png,image/jpeg,image/webp,image/gif,application/pdf,text/*,.md,.csv,.json'
const MAX_FILES = 8
const MAX_BYTES = 3_750_000

/** Images, PDFs and texts for a goal, as the field `attachments` of a form. */
export const GoalFiles = ({ hint }: { hint?: string }) => (
  <Field label="Attachments" hint={hint ?? 'Up to 8 images, PDFs and texts of 3.75 MB each'} className="max-w-[640px]">
    {(control) => (
      <input
        {...control}
        type="file"
        name="attachments"
        multiple
        accept={TYPES}
        className="w-full min-w-0 text-table file:mr-3 file:rounded file:border file:border-line-strong file:bg-raised file:px-2.5 file:py-1.5 file:text-text"
      />
    )}
  </Field>
)

type Attached = { name: string; data: string }

/** The files of a form's field, as a start takes them; or why it would refuse them. */
export async function readGoalFiles(form: FormData): Promise<{ attachments?: Attached[]; error?: string }> {
  const files = form.getAll('attachments').filter((value) => value instanceof File && value.size > 0) as File[]
  if (files.length === 0) return {}
  if (files.length > MAX_FILES) return { error: `Attach at most ${MAX_FILES} files.` }
  const large = files.find(({ size }) => size > MAX_BYTES)
  if (large) return { error: `${large.name} has ${(large.size / 1e6).toFixed(1)} MB: at most 3.75 MB are taken.` }
  const attachments = files.map(async (file) => ({
    name: file.name.replaceAll(/[[\]\p{Cc}\p{Cs}]/gu, '').slice(0, 200) || 'file',
    data: await toDataUri(file),
  }))
  return Promise.all(attachments).then(
    (read) => ({ attachments: read }),
    () => ({ error: 'A file could not be read. Choose it again.' }),
  )
}

/** What was attached to the goal of a turn. */
export const AttachedFiles = ({ files }: { files: JobTurn['attachments'] }) =>
  files.length > 0 && (
    <ul aria-label="Attachments" className="flex flex-wrap gap-2">
      {files.map(({ name, url, contentType }) => (
        <li key={url} className="max-w-40 min-w-0 rounded border bg-raised p-1.5 text-caption">
          <a href={url} target="_blank" rel="noreferrer" className="grid gap-1 [overflow-wrap:anywhere]">
            {contentType.startsWith('image/') && (
              // biome-ignore lint/performance/noImgElement: a file of the account, of any host
              <img src={url} alt="" className="max-h-24 rounded object-contain" />
            )}
            {name}
          </a>
        </li>
      ))}
    </ul>
  )

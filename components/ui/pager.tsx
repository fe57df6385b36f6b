import { ButtonLink } from './button'

type Props = {
  older: string | null
  newest: string | null
  /** What the links say in a list by another order than time. */
  words?: { older: string; newest: string }
}

/** Links to older rows and back to the newest. Paging by cursor, so new rows do not shift pages. */
export const Pager = ({ older, newest, words = { older: 'Older', newest: 'Newest' } }: Props) =>
  older || newest ? (
    <nav aria-label="Pages" className="mt-3 flex justify-end gap-2">
      {newest && (
        <ButtonLink size="small" href={newest}>
          {words.newest}
        </ButtonLink>
      )}
      {older && (
        <ButtonLink size="small" href={older} rel="next">
          {words.older}
        </ButtonLink>
      )}
    </nav>
  ) : null

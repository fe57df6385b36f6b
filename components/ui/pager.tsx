import { ButtonLink } from './button'

/** Links to older rows and back to the newest. Paging by cursor, so new rows do not shift pages. */
export const Pager = ({ older, newest }: { older: string | null; newest: string | null }) =>
  older || newest ? (
    <nav aria-label="Pages" className="mt-3 flex justify-end gap-2">
      {newest && (
        <ButtonLink size="small" href={newest}>
          Newest
        </ButtonLink>
      )}
      {older && (
        <ButtonLink size="small" href={older} rel="next">
          Older
        </ButtonLink>
      )}
    </nav>
  ) : null

/** Above a page's title: what it belongs to, and a link to the same as Markdown. */
export const AboveTitle = ({ group, path }: { group: string; path: string }) => (
  <p className="mb-1 flex justify-between gap-4 text-caption text-muted">
    <span>{group}</span>
    <a href={`${path}.md`} className="underline underline-offset-2 hover:text-text">
      As Markdown
    </a>
  </p>
)

import { LogoWithName } from '@/components/shell/logo'
import { ButtonLink } from '@/components/ui/button'

export default function NotFound() {
  return (
    <main className="mx-auto grid max-w-[420px] gap-4 px-5 py-[16vh]">
      <LogoWithName />
      <h1 className="text-title font-semibold tracking-tight">Not found</h1>
      <p className="text-muted">The link may be outdated, or the page belongs to another account.</p>
      <div>
        <ButtonLink href="/overview">Go to the overview</ButtonLink>
      </div>
    </main>
  )
}

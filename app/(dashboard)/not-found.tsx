import { ButtonLink } from '@/components/ui/button'
import { Title } from '@/components/ui/page'

export default function NotFound() {
  return (
    <>
      <Title title="Not found" note="The link may be outdated, or the page belongs to another account." />
      <ButtonLink href="/overview">Go to the overview</ButtonLink>
    </>
  )
}

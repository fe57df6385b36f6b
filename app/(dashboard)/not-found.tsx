import { ButtonLink } from '@/components/ui/button'
import { Title } from '@/components/ui/page'

export default function NotFound() {
  return (
    <>
      <Title
        title="There is nothing at this address"
        note="The link may be old, or the thing belongs to another account."
      />
      <ButtonLink href="/overview">Go to the overview</ButtonLink>
    </>
  )
}

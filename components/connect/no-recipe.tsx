import Link from 'next/link'
import { NoModels } from '../models/no-models'
import { Empty } from '../ui/page'
import type { Recipe } from './recipe'
import type { RecipeModels } from './usable-models'

/** What to do about it. A page that shows a secret once has no link that leaves it. */
const AnotherKey = ({ isNew, having }: { isNew: boolean; having: string }) =>
  isNew ? (
    <p>What a key may call can be narrowed later, not widened. Use a key {having}.</p>
  ) : (
    <p>
      What a key may call can be narrowed later, not widened. Choose another key, or{' '}
      <Link href="/keys/new?for=app" className="text-accent underline underline-offset-2">
        create one {having}
      </Link>
      .
    </p>
  )

type Props = { why: Exclude<RecipeModels['kind'], 'usable'>; needs: Recipe['needs']; isNew: boolean }

/** Why a recipe does not work here or with the chosen key, and what to do. */
export function NoRecipe({ why, needs, isNew }: Props) {
  switch (why) {
    case 'no-models':
      return needs === 'embedding' ? (
        <Empty title="No embedding models yet">
          <p>Embedding models appear here once the operator has set one up. Contact the operator.</p>
        </Empty>
      ) : (
        <NoModels isOperator={false} />
      )
    case 'no-access':
      return (
        <Empty title="This key has no access to models">
          <AnotherKey isNew={isNew} having="with access to models" />
        </Empty>
      )
    case 'none-allowed':
      return (
        <Empty title={needs === 'embedding' ? 'This key has no embedding model' : 'This key has no chat model'}>
          <AnotherKey isNew={isNew} having="for such a model" />
        </Empty>
      )
    case 'no-tools':
      return (
        <Empty title="This key has no tools">
          <AnotherKey isNew={isNew} having="with tools" />
        </Empty>
      )
    default:
      return why satisfies never
  }
}

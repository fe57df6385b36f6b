import Link from 'next/link'
import { NoModels } from '../models/no-models'
import { CopyBox } from '../ui/copy'
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
      <Link href="/keys/new" className="text-accent underline underline-offset-2">
        create one {having}
      </Link>
      .
    </p>
  )

const EMBEDDING_ENTRY = `"kind": "embedding",
"upstreams": [{ "api": "embeddings", "baseUrl": "https://…/v1", "apiKeyEnv": "…", "model": "…" }]`

type Props = { why: Exclude<RecipeModels['kind'], 'usable'>; needs: Recipe['needs']; isNew: boolean }

/** Why a recipe does not work here or with the chosen key, and what to do. */
export function NoRecipe({ why, needs, isNew }: Props) {
  switch (why) {
    case 'no-models':
      return needs === 'embedding' ? (
        <Empty title="No embedding models yet">
          <p>The operator adds an entry of this kind to MODELS_FILE and restarts the service:</p>
          <CopyBox label="Model entry" code={EMBEDDING_ENTRY} />
        </Empty>
      ) : (
        <NoModels />
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

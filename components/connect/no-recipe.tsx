import Link from 'next/link'
import { NoModels } from '../models/no-models'
import { CopyBox } from '../ui/copy'
import { Empty } from '../ui/page'
import type { Recipe } from './recipe'
import type { RecipeModels } from './usable-models'

const NewKeyLink = ({ children }: { children: string }) => (
  <Link href="/keys/new" className="text-accent underline underline-offset-2">
    {children}
  </Link>
)

const EMBEDDING_ENTRY = `"kind": "embedding",
"upstreams": [{ "api": "embeddings", "baseUrl": "https://…/v1", "apiKeyEnv": "…", "model": "…" }]`

/** Why a recipe does not work here or with the chosen key, and what to do. */
export function NoRecipe({ why, needs }: { why: Exclude<RecipeModels['kind'], 'usable'>; needs: Recipe['needs'] }) {
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
          <p>
            What a key may call is fixed when it is created. Choose another key, or{' '}
            <NewKeyLink>create one with access to models</NewKeyLink>.
          </p>
        </Empty>
      )
    case 'none-allowed':
      return (
        <Empty title={needs === 'embedding' ? 'This key has no embedding model' : 'This key has no chat model'}>
          <p>
            The models it may use are of other kinds. Choose another key, or{' '}
            <NewKeyLink>create one for more models</NewKeyLink>.
          </p>
        </Empty>
      )
    case 'no-tools':
      return (
        <Empty title="This key has no tools">
          <p>
            Choose another key, or <NewKeyLink>create one with tools</NewKeyLink>.
          </p>
        </Empty>
      )
    default:
      return why satisfies never
  }
}

import { CopyBox } from '../ui/copy'
import { Empty } from '../ui/page'

/** Shown when there are no models: whom to ask; to operators, how they add some. */
export const NoModels = ({ isOperator }: { isOperator: boolean }) => (
  <Empty title="No models yet">
    {isOperator ? (
      <>
        <p>
          This service runs in live mode without a model registry, or without a key to any provider. Import a registry
          from a provider’s list, set MODELS_FILE and the keys it names, and restart the service:
        </p>
        <CopyBox label="Command" code="npm run admin -- models import --from https://openrouter.ai/api/v1" />
      </>
    ) : (
      <p>The models you may call appear here once the operator has set them up. Contact the operator.</p>
    )}
  </Empty>
)

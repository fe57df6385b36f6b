import { CopyBox } from '../ui/copy'
import { Empty } from '../ui/page'

/** Shown when there are no models: how the operator adds some. */
export const NoModels = () => (
  <Empty title="No models yet">
    <p>
      This service runs in live mode without a model registry, or without a key to any provider. The operator imports a
      registry from a provider’s list, sets MODELS_FILE and the keys it names, and restarts the service:
    </p>
    <CopyBox label="Command" code="npm run admin -- models import --from https://openrouter.ai/api/v1" />
  </Empty>
)

import { CopyBox } from '../ui/copy'
import { Empty } from '../ui/page'

/** What stands where models would: how the operator brings some in. */
export const NoModels = () => (
  <Empty title="No models yet">
    <p>
      This service answers live and has no registry of models, or no key to any of their providers. The operator imports
      one from a provider’s list, sets MODELS_FILE to it and the keys it names, and starts the service again:
    </p>
    <CopyBox label="command" code="npm run admin -- models import --from https://openrouter.ai/api/v1" />
  </Empty>
)

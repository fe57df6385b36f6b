/** Where a provider's models are called, and what its list of models lacks. */
export type ModelProvider = {
  /** First part of its models' ids. */
  id: string
  baseUrl: string
  /** The variable with its key; null: it needs none. */
  apiKeyEnv: string | null
  api: 'chat' | 'messages'
  assumeContext?: number
  assumePrice?: { input: number; output: number }
}

const FREE = { input: 0, output: 0 }

/** Providers that setup knows by name. */
export const MODEL_PROVIDERS: readonly ModelProvider[] = [
  { id: 'openai', baseUrl: 'https://api.openai.com/v1', apiKeyEnv: 'OPENAI_API_KEY', api: 'chat' },
  { id: 'openrouter', baseUrl: 'https://openrouter.ai/api/v1', apiKeyEnv: 'OPENROUTER_API_KEY', api: 'chat' },
  { id: 'anthropic', baseUrl: 'https://api.anthropic.com/v1', apiKeyEnv: 'ANTHROPIC_API_KEY', api: 'messages' },
  {
    id: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    apiKeyEnv: 'GOOGLE_API_KEY',
    api: 'chat',
  },
  {
    id: 'ollama',
    baseUrl: 'http://127.0.0.1:11434/v1',
    apiKeyEnv: null,
    api: 'chat',
    assumeContext: 8_192,
    assumePrice: FREE,
  },
  { id: 'vllm', baseUrl: 'http://127.0.0.1:8000/v1', apiKeyEnv: null, api: 'chat', assumePrice: FREE },
]

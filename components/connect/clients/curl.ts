import { curlPost, QUESTION } from '../../models/snippets'
import type { ConnectClient } from '../recipe'

const where = 'Run this in a terminal.'
const messages = [{ role: 'user', content: QUESTION }]

export const curlClient: ConnectClient = {
  id: 'curl',
  label: 'curl',
  group: 'HTTP',
  docs: null,
  recipes: [
    {
      id: 'chat',
      label: 'Chat completions',
      needs: 'chat',
      channel: 'chat',
      where,
      code: ({ baseUrl, secret, model }) => curlPost(`${baseUrl}/api/v1/chat/completions`, { model, messages }, secret),
    },
    {
      id: 'responses',
      label: 'Responses',
      needs: 'chat',
      channel: 'responses',
      where,
      code: ({ baseUrl, secret, model }) => curlPost(`${baseUrl}/api/v1/responses`, { model, input: QUESTION }, secret),
    },
    {
      id: 'messages',
      label: 'Messages',
      needs: 'chat',
      channel: 'messages',
      where,
      code: ({ baseUrl, secret, model }) =>
        curlPost(`${baseUrl}/api/v1/messages`, { model, max_tokens: 1024, messages }, secret),
    },
    {
      id: 'embeddings',
      label: 'Embeddings',
      needs: 'embedding',
      channel: 'embeddings',
      where,
      code: ({ baseUrl, secret, model }) =>
        curlPost(`${baseUrl}/api/v1/embeddings`, { model, input: [QUESTION] }, secret),
    },
  ],
}

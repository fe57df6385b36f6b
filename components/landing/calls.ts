/** A POST with curl in short lines, for a narrow column. */
const post = (url: string, fields: readonly string[]): string =>
  [
    `curl ${url} \\`,
    '  -H "Authorization: Bearer $TOLLGATE_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{${fields.join(',\n       ')}}'`,
  ].join('\n')

/** A tool call, a chat completion and an agent run at this address. */
export const landingCalls = (baseUrl: string, model: string) => ({
  tool: post(`${baseUrl}/api/v1/query`, ['"tool": "web_search"', '"params": {"query": "toll roads"}']),
  chat: post(`${baseUrl}/api/v1/chat/completions`, [
    `"model": "${model}"`,
    '"messages": [{"role": "user",\n         "content": "Hello"}]',
  ]),
  agent: post(`${baseUrl}/api/v1/agent`, [
    '"goal": "Compare alpine tolls"',
    '"idempotencyKey": "alps-1", "wait": true',
  ]),
})

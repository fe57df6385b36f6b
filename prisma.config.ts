import { defineConfig } from 'prisma/config'

// `prisma generate` resolves the native schema engine although it never runs it. Any executable
// satisfies it, and node itself is the portable one. Migrations use the WASM engine
// (server/cli/migrate.ts), so nothing is downloaded.
if (process.argv.some((word) => ['generate', 'validate', 'format'].includes(word))) {
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath
}

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? '' },
})
